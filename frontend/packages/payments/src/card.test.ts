import { expect, it } from 'vitest';

import {
  brandOf,
  caretAfter,
  cvcLength,
  formatCardNumber,
  formatExpiry,
  hasExpired,
  isCardNumber,
  luhn,
  parseExpiry,
} from './card.ts';

it('tells brands by their first digits', () => {
  const known: [string, ReturnType<typeof brandOf>][] = [
    ['4', 'visa'],
    ['2221', 'mastercard'],
    ['2220', null],
    ['2720 99', 'mastercard'],
    ['2721', null],
    ['55', 'mastercard'],
    ['56', null],
    ['37', 'amex'],
    ['6011', 'discover'],
    ['3528', 'jcb'],
    ['36', 'diners'],
    ['62', 'unionpay'],
    ['', null],
  ];
  for (const [digits, brand] of known) expect(brandOf(digits), digits).toBe(brand);
});

it('groups digits as the card does and drops what is too much', () => {
  expect(formatCardNumber('4111111111111111')).toBe('4111 1111 1111 1111');
  expect(formatCardNumber('378282246310005')).toBe('3782 822463 10005');
  expect(formatCardNumber('3782822463100059999')).toBe('3782 822463 10005');
  expect(formatCardNumber('4111-1111x')).toBe('4111 1111');
  expect(formatCardNumber('')).toBe('');
});

it('checks the check digit and the length of the brand', () => {
  for (const good of [
    '4111 1111 1111 1111',
    '5555555555554444',
    '2223000048400011',
    '378282246310005',
    '6011111111111117',
    '3530111333300000',
    '36259600000004',
  ]) {
    expect(isCardNumber(good), good).toBe(true);
  }
  for (const bad of ['4111 1111 1111 1112', '411111111111111', '37828224631000', '', 'card', '0000'])
    expect(isCardNumber(bad), bad).toBe(false);
  expect(luhn('79927398713')).toBe(true);
  expect(luhn('79927398710')).toBe(false);
});

it('asks for four digits of security code on American Express only', () => {
  expect(cvcLength('3782')).toBe(4);
  expect(cvcLength('4111')).toBe(3);
  expect(cvcLength('')).toBe(3);
});

it('writes the expiry as MM/YY whatever way it is typed', () => {
  const typed: [string, string][] = [
    ['1', '1'],
    ['12', '12'],
    ['123', '12/3'],
    ['5', '05'],
    ['5/27', '05/27'],
    ['1/27', '01/27'],
    ['05/2027', '05/27'],
    ['0527', '05/27'],
    ['05 / 27', '05/27'],
    ['12/', '12'],
  ];
  for (const [text, shown] of typed) expect(formatExpiry(text), text).toBe(shown);
});

it('reads the expiry and knows when it has passed', () => {
  expect(parseExpiry('05/27')).toEqual({ month: 5, year: 2027 });
  for (const bad of ['13/27', '00/27', '5/27', '05/2', '']) expect(parseExpiry(bad), bad).toBeNull();
  const may = new Date(2027, 4, 31, 23, 59);
  expect(hasExpired({ month: 5, year: 2027 }, may)).toBe(false);
  expect(hasExpired({ month: 4, year: 2027 }, may)).toBe(true);
  expect(hasExpired({ month: 1, year: 2028 }, may)).toBe(false);
});

it('keeps the caret behind the digit that was typed', () => {
  expect(caretAfter('4111 1', 4)).toBe(4);
  expect(caretAfter('4111 1', 5)).toBe(6);
  expect(caretAfter('4111', 0)).toBe(0);
});
