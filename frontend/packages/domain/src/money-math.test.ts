import { describe, expect, it } from 'vitest';

import { addMoney, centsOf, formatCents, parseCents, plainAmount, tipCents } from './money-math.ts';

describe('parseCents', () => {
  it.each([
    ['20,50', 2050],
    ['20.5', 2050],
    ['1 234,50 $', 123_450],
    ['0', 0],
    ['-5.00', -500],
  ])('reads %s', (text, cents) => expect(parseCents(text)).toBe(cents));

  it.each(['', 'abc', '1.234', '1,2,3', '12%'])('refuses %j', (text) => expect(parseCents(text)).toBeNull());
});

it('adds decimal strings without binary fractions', () => {
  expect(addMoney('0.10', '0.20')).toBe('0.30');
  expect(addMoney('389.00', '58.25', '20.50')).toBe('467.75');
  expect(formatCents(-5)).toBe('-0.05');
});

describe('tipCents', () => {
  it('takes dollars with a comma', () => expect(tipCents('amount', '20,50', '389.00')).toBe(2050));
  it('takes a percentage of the price before tax, half a cent up', () => {
    expect(tipCents('percent', '15', '389.00')).toBe(5835);
    expect(tipCents('percent', '12.5', '0.20')).toBe(3);
  });
  it('is nothing when empty and refuses what is not a tip', () => {
    expect(tipCents('amount', '', '389.00')).toBe(0);
    expect(tipCents('amount', '-1', '389.00')).toBeNull();
    expect(tipCents('percent', '101', '389.00')).toBeNull();
    expect(tipCents('percent', 'ten', '389.00')).toBeNull();
  });
});

describe('an amount that cannot be read', () => {
  it.each(['', 'abc', '12.345', 'NaN'])('is an error and not nothing: %j', (amount) => {
    expect(() => centsOf(amount)).toThrow(/no amount of money/);
    expect(() => addMoney('10.00', amount)).toThrow(/no amount of money/);
    expect(() => tipCents('percent', '15', amount)).toThrow(/no amount of money/);
  });
});

it('gives an amount as typed the way the server reads it', () => {
  expect(['20,50', '1 234,5 $', ' 15 %', '$20'].map(plainAmount)).toEqual(['20.50', '1234.5', '15', '20']);
});
