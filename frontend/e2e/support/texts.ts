import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Language = 'en' | 'fr' | 'zh';

const locales = join(import.meta.dirname, '../../packages/i18n/src/locales');
const cache = new Map<string, Record<string, string>>();

/** The app's own text for `namespace:key`, so that tests read what people read, in any language. */
export function text(language: Language, name: string, values: Record<string, string | number> = {}): string {
  const [namespace = 'common', key = name] = name.includes(':') ? name.split(':') : ['common', name];
  const file = `${language}/${namespace}`;
  let texts = cache.get(file);
  if (!texts) {
    texts = JSON.parse(readFileSync(join(locales, `${file}.json`), 'utf8')) as Record<string, string>;
    cache.set(file, texts);
  }
  const found = texts[key];
  if (found === undefined) throw new Error(`no text ${name} in ${language}`);
  return found.replaceAll(/\{(\w+)\}/g, (whole, word: string) => String(values[word] ?? whole));
}
