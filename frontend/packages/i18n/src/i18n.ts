import i18next, { type BackendModule, type ResourceKey } from 'i18next';
import { initReactI18next } from 'react-i18next';

import { chooseLanguage, htmlLang, isLanguage, type Language, readSavedLanguage, saveLanguage } from './languages.ts';
import type { Resources } from './resources.ts';

/** A file of texts: flat keys of one language and namespace. */
export interface TextFile {
  default: ResourceKey;
}

type TextFiles = Record<string, () => Promise<TextFile>>;

const files = new Map<string, TextFiles[string]>();

/**
 * Makes texts known; nothing is loaded by it. The paths end in `<language>/<namespace>.json`, as `import.meta.glob`
 * answers them for the files of a folder `locales/`.
 */
export function addTexts(more: TextFiles): void {
  for (const [path, load] of Object.entries(more)) {
    const [, name] = /([^/]+\/[^/]+)\.json$/.exec(path) ?? [];
    if (name) files.set(name, load);
  }
}

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

/** Loads one JSON file per language and namespace, only when something on screen asks for it. */
const lazyFiles: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, callback) {
    const load = files.get(`${language}/${namespace}`);
    if (!load) {
      callback(new Error(`no texts for ${language}/${namespace}`), null);
      return;
    }
    load().then(
      (module) => callback(null, module.default),
      (error: Error) => callback(error, null),
    );
  },
};

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : 'en';
}

/** Shared settings; tests start the same instance with every text already loaded. */
export const i18nOptions = {
  ns: ['common'],
  defaultNS: 'common',
  supportedLngs: ['en', 'fr', 'zh'],
  fallbackLng: 'en',
  partialBundledLanguages: true,
  // keys are flat ("form.required"), so a dot is part of the name
  keySeparator: false,
  nsSeparator: ':',
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  returnNull: false,
} as const;

/** Names of texts. */
export type FirstTexts = readonly (keyof Resources)[];

/** Loads the texts `first` before anything is shown: those that every page needs, and those of the page that opens. */
export async function startI18n(first: FirstTexts = []): Promise<void> {
  const language = chooseLanguage({
    query: new URLSearchParams(location.search).get('lang'),
    saved: readSavedLanguage(),
    browser: navigator.language,
  });
  const setHtmlLang = (lng: string) => {
    document.documentElement.lang = isLanguage(lng) ? htmlLang[lng] : 'en-CA';
  };
  i18next.on('languageChanged', setHtmlLang);
  await i18next
    .use(lazyFiles)
    .use(initReactI18next)
    .init({
      ...i18nOptions,
      ns: [...new Set([...i18nOptions.ns, ...first])],
      supportedLngs: [...i18nOptions.supportedLngs],
      lng: language,
    });
  setHtmlLang(language);
  if (isLanguage(new URLSearchParams(location.search).get('lang'))) saveLanguage(language);
}

/** Switches without a reload: the texts of every namespace in use are loaded first, so nothing flashes in English. */
export async function changeLanguage(language: Language): Promise<void> {
  saveLanguage(language);
  await i18next.loadLanguages(language);
  await i18next.changeLanguage(language);
}

export { i18next };
