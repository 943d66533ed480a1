import { isComplete } from '@portage/address';
import { describe, expect, it } from 'vitest';

import { areaVerdict } from './address.ts';
import { emptyEnd } from './ends.ts';

const whole = {
  country: 'Canada',
  province: 'QC',
  postalCode: 'H2X 1Y4',
  city: 'Montréal',
  street: '12 Rue A',
  unit: '',
  fullAddress: '',
};

describe('a complete address', () => {
  it('has number, street, city, postal code, province and country', () => expect(isComplete(whole)).toBe(true));
  it.each([
    ['no street number', { street: 'Rue A' }],
    ['only a number', { street: '12' }],
    ['no city', { city: ' ' }],
    ['no postal code', { postalCode: '' }],
    ['a bad postal code', { postalCode: 'H2X 1D4' }],
    ['a postal code of another province', { postalCode: 'M5V 2T6' }],
    ['no country', { country: '' }],
  ])('is refused with %s', (_, change) => expect(isComplete({ ...whole, ...change })).toBe(false));
});

describe('service area', () => {
  const area = (id: string | null) => ({ served: id !== null, area: id, exact: true });
  it.each([
    [area('ontario'), area('alberta'), 'ok'],
    [area('greater-montreal'), area(null), 'ok'],
    [area(null), area('greater-montreal'), 'ok'],
    [area(null), area('greater-vancouver'), 'refused'],
    [area(null), area(null), 'refused'],
    [area(null), null, 'needsMontreal'],
    [area('ontario'), null, 'unknown'],
    [null, null, 'unknown'],
  ] as const)('%#', (first, second, verdict) => {
    const end = (answer: typeof first) => ({ ...emptyEnd(), place: { address: whole, coords: null, area: answer } });
    expect(areaVerdict({ pickup: end(first), dropoff: end(second) })).toBe(verdict);
  });
});
