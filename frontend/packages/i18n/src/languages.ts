/** The languages every text exists in. */
export const languages = ['en', 'fr', 'zh'] as const;
export type Language = (typeof languages)[number];

/** What goes into `<html lang>` and `Intl` constructors. */
export const htmlLang: Record<Language, string> = { en: 'en-CA', fr: 'fr-CA', zh: 'zh-Hans' };
export const intlLocale: Record<Language, string> = { en: 'en-CA', fr: 'fr-CA', zh: 'zh-Hans-CA' };
/** Sent to the identity provider as `ui_locales`, in order of preference. */
export const uiLocales: Record<Language, string> = { en: 'en', fr: 'fr-CA fr', zh: 'zh-CN zh' };

const storageKey = 'portage.lang';

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && (languages as readonly string[]).includes(value);
}

/** The rule of the specification: `lang` parameter, saved choice, French if the browser's language contains "fr", Chinese, English. */
export function chooseLanguage(input: { query: string | null; saved: string | null; browser: string }): Language {
  const query = input.query?.toLowerCase() ?? null;
  if (isLanguage(query)) return query;
  if (isLanguage(input.saved)) return input.saved;
  const browser = input.browser.toLowerCase();
  if (browser.includes('fr')) return 'fr';
  if (browser.startsWith('zh')) return 'zh';
  return 'en';
}

export function readSavedLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null; // storage can be switched off; the choice then lasts for the visit
  }
}

export function saveLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // see readSavedLanguage
  }
}
