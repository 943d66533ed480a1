import { currentLanguage, fetchTexts, type FirstTexts, i18next } from '@portage/i18n';

/**
 * The loader of a route that shows these texts: they are fetched beside the page's code, and the page before stays until
 * the new one can be drawn whole. Rejects when a file cannot be fetched: the page would show the names of its texts.
 */
export function loadTexts(...names: FirstTexts): () => Promise<void> {
  return async () => {
    const language = currentLanguage();
    await i18next.loadNamespaces(names);
    const missing = await fetchTexts(language, names);
    if (missing.length > 0) throw new Error(`no texts ${missing.join(', ')} in ${language}`);
  };
}
