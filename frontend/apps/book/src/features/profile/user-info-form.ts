import { isPostalCode } from '@portage/address';
import type { OwnProfile } from '@portage/api';
import { currentLanguage, isLanguage, type Language } from '@portage/i18n';
import * as z from 'zod/mini';

const text = (max: number) => z.string().check(z.maxLength(max, 'person:tooLong'));
const name = z.string().check(
  z.refine((value) => value.trim() !== '', { error: 'common:form.required', abort: true }),
  z.maxLength(80, 'person:tooLong'),
);

function inCanada(country: string): boolean {
  return country.trim() === '' || /^(?:canada|ca|加拿大)$/i.test(country.trim());
}

/** The form has every field; what may be empty is an empty text. */
export const userInfoSchema = z.object({
  firstName: name,
  lastName: name,
  phone: z.string().check(
    z.refine((value) => value.trim() === '' || value.replaceAll(/\D/g, '').length >= 10, {
      error: 'person:phoneInvalid',
    }),
    z.maxLength(40, 'person:tooLong'),
  ),
  gender: text(80),
  occupation: text(80),
  language: z.enum(['en', 'fr', 'zh']),
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
    ),
});
export type UserInfoValues = z.infer<typeof userInfoSchema>;

export function toForm(profile: OwnProfile): UserInfoValues {
  const { firstName, lastName, phone, gender, occupation, billingAddress } = profile;
  const language: Language = isLanguage(profile.language) ? profile.language : currentLanguage();
  return {
    firstName,
    lastName,
    phone,
    gender,
    occupation,
    language,
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
