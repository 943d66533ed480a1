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

/** Fetches texts that are not there yet; answers the names of those that could not be had. */
export async function fetchTexts(language: Language, names: readonly string[]): Promise<string[]> {
  const missing = () => names.filter((name) => !i18next.hasResourceBundle(language, name));
  // a file that could not be fetched once is not asked for again unless told to
  if (missing().length > 0) await i18next.reloadResources([language], missing());
  return missing();
}

/** Milliseconds of the pauses between the tries to begin: after the second one the page says what is the matter. */
const pauses = { first: 500, saidFrom: 2000, longest: 15_000 };

/**
 * Loads the texts `first` before anything is shown: those that every page needs, and those of the page that opens. Ends only
 * when they are there: without them the app would show their names. What index.html shows meanwhile says that this takes
 * long when it hears `portage:lost` (load-trouble.ts).
 */
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
  const ns = [...new Set([...i18nOptions.ns, ...first])];
  await i18next
    .use(lazyFiles)
    .use(initReactI18next)
    .init({
      ...i18nOptions,
      ns,
      supportedLngs: [...i18nOptions.supportedLngs],
      lng: language,
    });
  for (let pause = pauses.first; (await fetchTexts(language, ns)).length > 0;) {
    if (pause >= pauses.saidFrom) dispatchEvent(new Event('portage:lost'));
    const wait = pause;
    await new Promise((resolve) => setTimeout(resolve, wait));
    pause = Math.min(pause * 2, pauses.longest);
  }
  setHtmlLang(language);
  if (isLanguage(new URLSearchParams(location.search).get('lang'))) saveLanguage(language);
}

let wanted: Language | null = null;

/**
 * Switches without a reload: the texts of every namespace in use are loaded first, so nothing flashes in English. Rejects
 * when they cannot be had; everything then stays as it is.
 */
export async function changeLanguage(language: Language): Promise<void> {
  wanted = language;
  const shown = currentLanguage();
  const inUse = (i18next.options.ns as string[]).filter((name) => i18next.hasResourceBundle(shown, name));
  const missing = await fetchTexts(language, inUse);
  // another one was chosen meanwhile
  if (wanted !== language) return;
  if (missing.length > 0) throw new Error(`no texts ${missing.join(', ')} in ${language}`);
  saveLanguage(language);
  await i18next.changeLanguage(language);
}

export { i18next };
