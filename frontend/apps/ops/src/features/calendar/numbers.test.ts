import { describe, expect, it } from 'vitest';

import { type CapacityValues, changedDays, dayBody, daySchema, mergedWeek } from './numbers.ts';

const day = (mates: string, small = '4'): CapacityValues => ({
  mates,
  trucks: { '10ft': small, '20ft': '4', '26ft': '3' },
});

describe('a number of mates or trucks', () => {
  const right = (mates: string) => daySchema.safeParse({ ...day(mates), reason: '' }).success;
  it.each(['0', '24', ' 24 ', '1000'])('may be "%s"', (text) => expect(right(text)).toBe(true));
  it.each(['', '-1', '2.5', '1001', '12a'])('may not be "%s"', (text) => expect(right(text)).toBe(false));
});

it('sends numbers, and a reason only when there is one', () => {
  const body = { mates: 24, trucks: { '10ft': 4, '20ft': 4, '26ft': 3 } };
  expect(dayBody({ ...day('24'), reason: '' })).toEqual(body);
  expect(dayBody({ ...day('24'), reason: 'Heat' })).toEqual({ ...body, reason: 'Heat' });
});

describe('a week that a colleague saved first', () => {
  const before = { week: [day('10'), day('10')] };
  const theirs = { week: [day('12', '6'), day('10')] };

  it('keeps each number that was typed here, and theirs elsewhere', () => {
    const mine = { week: [day('11'), day('10')] };
    expect(mergedWeek(before, mine, theirs)).toEqual({ week: [day('11', '6'), day('10')] });
  });

  it('says which days they changed', () => {
    expect(changedDays(before, theirs)).toEqual([0]);
  });
});
