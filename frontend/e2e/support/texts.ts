import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type Language = 'en' | 'fr' | 'zh';

export const allLanguages = ['en', 'fr', 'zh'] satisfies Language[];

const root = join(import.meta.dirname, '../..');
const cache = new Map<string, Record<string, string>>();

/** Folders of texts of the apps and of the packages: each namespace lies with what shows it. */
function localeFolders(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === 'node_modules' || name === 'dist' || !statSync(path).isDirectory()) return [];
    return name === 'locales' ? [path] : localeFolders(path);
  });
}
const foldersOf = (names: string[]) => names.flatMap((name) => localeFolders(join(root, name)));
const folders = { book: foldersOf(['apps/book/src', 'packages']), ops: foldersOf(['apps/ops/src', 'packages']) };

/**
 * The app's own text for `namespace:key`, so that tests read what people read, in any language. `ops/` before it means the
 * back office, which has namespaces of the same names.
 */
export function text(language: Language, name: string, values: Record<string, string | number> = {}): string {
  const app = name.startsWith('ops/') ? 'ops' : 'book';
  const plain = name.replace(/^ops\//, '');
  const [namespace = 'common', key = plain] = plain.includes(':') ? plain.split(':') : ['common', plain];
  const file = `${language}/${namespace}`;
  const known = `${app}/${file}`;
  let texts = cache.get(known);
  if (!texts) {
    const path = folders[app].map((folder) => join(folder, `${file}.json`)).find((one) => existsSync(one));
    if (!path) throw new Error(`no texts ${namespace} in ${language}`);
    texts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    cache.set(known, texts);
  }
  const found = texts[key];
  if (found === undefined) throw new Error(`no text ${name} in ${language}`);
  return found.replaceAll(/\{(\w+)\}/g, (whole, word: string) => String(values[word] ?? whole));
}
