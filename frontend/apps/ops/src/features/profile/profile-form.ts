import type { OwnProfile } from '@portage/api';
import { currentLanguage, isLanguage } from '@portage/i18n';
import * as z from 'zod/mini';

const name = z.string().check(
  z.trim(),
  z.refine((value) => value !== '', { error: 'common:form.required', abort: true }),
  z.maxLength(80, 'profile:field.long'),
);

// message keys, translated where they are shown
export const profileSchema = z.object({
  firstName: name,
  lastName: name,
  phone: z.string().check(
    z.trim(),
    z.refine((value) => value === '' || value.replaceAll(/\D/g, '').length >= 10, { error: 'profile:phone.invalid' }),
    z.maxLength(40, 'profile:field.long'),
  ),
  language: z.enum(['en', 'fr', 'zh']),
});
export type ProfileValues = z.infer<typeof profileSchema>;

export function toForm({ firstName, lastName, phone, language }: OwnProfile): ProfileValues {
  return { firstName, lastName, phone, language: isLanguage(language) ? language : currentLanguage() };
}
