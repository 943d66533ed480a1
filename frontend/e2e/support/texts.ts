import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type Language = 'en' | 'fr' | 'zh';

const root = join(import.meta.dirname, '../..');
const cache = new Map<string, Record<string, string>>();

/** Folders of texts of the customers' app and of the packages: each namespace lies with what shows it. */
function localeFolders(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === 'node_modules' || name === 'dist' || !statSync(path).isDirectory()) return [];
    return name === 'locales' ? [path] : localeFolders(path);
  });
}
const folders = ['apps/book/src', 'packages'].flatMap((name) => localeFolders(join(root, name)));

/** The app's own text for `namespace:key`, so that tests read what people read, in any language. */
export function text(language: Language, name: string, values: Record<string, string | number> = {}): string {
  const [namespace = 'common', key = name] = name.includes(':') ? name.split(':') : ['common', name];
  const file = `${language}/${namespace}`;
  let texts = cache.get(file);
  if (!texts) {
    const path = folders.map((folder) => join(folder, `${file}.json`)).find((one) => existsSync(one));
    if (!path) throw new Error(`no texts ${namespace} in ${language}`);
    texts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    cache.set(file, texts);
  }
  const found = texts[key];
  if (found === undefined) throw new Error(`no text ${name} in ${language}`);
  return found.replaceAll(/\{(\w+)\}/g, (whole, word: string) => String(values[word] ?? whole));
}
