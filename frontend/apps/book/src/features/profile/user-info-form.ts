import { isPostalCode } from '@portage/address';
import { type OwnProfile, provinceOf } from '@portage/api';
import { personOf, personRules } from '@portage/person';
import * as z from 'zod/mini';

const text = (max: number) => z.string().check(z.maxLength(max, 'person:tooLong'));
export function inCanada(country: string): boolean {
  return country.trim() === '' || /^(?:canada|ca|加拿大)$/i.test(country.trim());
}

/** The form has every field; what may be empty is an empty text. */
export const userInfoSchema = z.object({
  ...personRules,
  gender: text(80),
  occupation: text(80),
  billingAddress: z
    .object({
      unit: text(40),
      streetName: text(200),
      aptUnit: text(40),
      city: text(100),
      postalCode: text(20),
      province: text(60),
      country: text(60),
    })
    .check(
      // invoices may go abroad; only a Canadian code has a shape we know
      z.refine(
        (address) => address.postalCode.trim() === '' || !inCanada(address.country) || isPostalCode(address.postalCode),
        {
          path: ['postalCode'],
          error: 'profile:postalCode.invalid',
        },
      ),
      // abroad a province is whatever is written there
      z.refine(({ province, country }) => province === '' || !inCanada(country) || provinceOf(province) !== null, {
        path: ['province'],
        error: 'common:form.invalid',
      }),
    ),
});
export type UserInfoValues = z.infer<typeof userInfoSchema>;

export function toForm(profile: OwnProfile): UserInfoValues {
  const { gender, occupation, billingAddress } = profile;
  return {
    ...personOf(profile),
    gender,
    occupation,
    billingAddress: {
      unit: billingAddress.unit ?? '',
      streetName: billingAddress.streetName ?? '',
      aptUnit: billingAddress.aptUnit ?? '',
      city: billingAddress.city ?? '',
      postalCode: billingAddress.postalCode ?? '',
      province: billingAddress.province ?? '',
      country: billingAddress.country || 'Canada',
    },
  };
}

/** Every text without the spaces around it, at any depth. */
export function trimmed<T>(value: T): T {
  if (typeof value === 'string') return value.trim() as T;
  if (Array.isArray(value)) return value.map((one: unknown) => trimmed(one)) as T;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, trimmed(one)])) as T;
  return value;
}
