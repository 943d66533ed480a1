import type { OwnProfile } from '@portage/api';
import { expect, it } from 'vitest';

import { toForm, trimmed, userInfoSchema } from './user-info-form.ts';

const profile: OwnProfile = {
  userId: 'u1',
  firstName: 'Ana',
  lastName: 'Roy',
  fullName: 'Ana Roy',
  email: 'ana@example.test',
  phone: '',
  gender: '',
  occupation: '',
  language: 'fr',
  billingAddress: { unit: '', streetName: '', aptUnit: '', city: '', postalCode: '', province: '', country: '' },
  wallet: { customerId: null, card: null },
  version: 3,
  role: 'customer',
  updatedAt: '2027-01-01T00:00:00Z',
};

it('trims nested texts and leaves everything else', () => {
  expect(trimmed({ a: ' x ', b: { c: '\ty\n', d: 3 }, e: [' z '], f: null })).toEqual({
    a: 'x',
    b: { c: 'y', d: 3 },
    e: ['z'],
    f: null,
  });
});

it('fills the country and accepts an otherwise empty address', () => {
  const form = toForm(profile);
  expect(form.billingAddress.country).toBe('Canada');
  expect(userInfoSchema.safeParse(form).success).toBe(true);
});

it('checks a Canadian postal code, but not a foreign one', () => {
  const form = toForm(profile);
  const address = (postalCode: string, country: string) => ({
    ...form,
    billingAddress: { ...form.billingAddress, postalCode, country },
  });
  expect(userInfoSchema.safeParse(address('H2X 1Y4', 'Canada')).success).toBe(true);
  expect(userInfoSchema.safeParse(address('12345', 'Canada')).success).toBe(false);
  expect(userInfoSchema.safeParse(address('75011', 'France')).success).toBe(true);
  expect(userInfoSchema.safeParse({ ...form, firstName: '  ' }).success).toBe(false);
  expect(userInfoSchema.safeParse({ ...form, phone: '555' }).success).toBe(false);
});

it('takes a province of the list in Canada, and any other abroad', () => {
  const form = toForm(profile);
  const address = (province: string, country: string) =>
    userInfoSchema.safeParse({ ...form, billingAddress: { ...form.billingAddress, province, country } }).success;
  expect(address('', 'Canada')).toBe(true);
  expect(address('NL', 'Canada')).toBe(true);
  expect(address('Narnia', 'Canada')).toBe(false);
  expect(address('Île-de-France', 'France')).toBe(true);
});
