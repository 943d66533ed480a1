import type { OwnProfile } from '@portage/api';
import { currentLanguage, isLanguage } from '@portage/i18n';
import { nameRule, phoneRule } from '@portage/person';
import * as z from 'zod/mini';

// messages are text keys, translated where they are shown
export const profileSchema = z.object({
  firstName: nameRule,
  lastName: nameRule,
  phone: phoneRule,
  language: z.enum(['en', 'fr', 'zh']),
});
export type ProfileValues = z.infer<typeof profileSchema>;

export function toForm({ firstName, lastName, phone, language }: OwnProfile): ProfileValues {
  return { firstName, lastName, phone, language: isLanguage(language) ? language : currentLanguage() };
}
