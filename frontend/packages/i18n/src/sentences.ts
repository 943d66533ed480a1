import type { Language } from './languages.ts';

// apart from the formats: first pages need it, and not those

/** Whole sentences after each other; those that do not hold are left out. Chinese has no space between sentences. */
export function formatSentences(sentences: readonly (string | null)[], language: Language): string {
  return sentences.filter((one) => one !== null).join(language === 'zh' ? '' : ' ');
}
