import { type Language, useLanguage } from '@portage/i18n';

/** Sample texts in three languages, said where they are used: this page is not part of an app. */
export function useSay(): (en: string, fr: string, zh: string) => string {
  const language: Language = useLanguage();
  return (en, fr, zh) => ({ en, fr, zh })[language];
}
