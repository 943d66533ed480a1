import { expect, it } from 'vitest';

import { isGst, isNeq, isQst } from './numbers.ts';

it('knows a GST number by its form and its check digit', () => {
  for (const right of ['123456782RT0001', ' 123 456 782 rt 0001 ', '100000009RT9999']) expect(isGst(right)).toBe(true);
  for (const wrong of ['123456789RT0001', '123456782', '123456782TQ0001', '12345678RT0001', ''])
    expect(isGst(wrong)).toBe(false);
});

it('knows a QST number and an NEQ by their form', () => {
  expect(isQst('1234567890 TQ 0001')).toBe(true);
  expect(isQst('1234567890RT0001')).toBe(false);
  for (const right of ['1143920115', '22 4392 0115', '8843920115']) expect(isNeq(right)).toBe(true);
  for (const wrong of ['4443920115', '114392011', '11439201155']) expect(isNeq(wrong)).toBe(false);
});
