import { currentLanguage, type FirstTexts, i18next } from '@portage/i18n';

/**
 * The loader of a route that shows these texts: they are fetched beside the page's code, and the page before stays until
 * the new one can be drawn whole. Rejects when a file cannot be fetched: the page would show the names of its texts.
 */
export function loadTexts(...names: FirstTexts): () => Promise<void> {
  return async () => {
    const language = currentLanguage();
    const missing = () => names.filter((name) => !i18next.hasResourceBundle(language, name));
    await i18next.loadNamespaces(names);
    // a file that could not be fetched once is not asked for again unless told to
    if (missing().length > 0) await i18next.reloadResources([language], missing());
    if (missing().length > 0) throw new Error(`no texts ${missing().join(', ')} in ${language}`);
  };
}
