// @vitest-environment node
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { languages } from './languages.ts';
import { namespaces } from './resources.ts';

const root = join(import.meta.dirname, '../../..');
const localeDir = join(import.meta.dirname, 'locales');
type Texts = Record<string, string>;

function texts(language: string, namespace: string): Texts {
  return JSON.parse(readFileSync(join(localeDir, language, `${namespace}.json`), 'utf8')) as Texts;
}

function sources(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (statSync(path).isDirectory())
      return ['node_modules', 'dist', 'test', 'locales'].includes(name) ? [] : sources(path);
    return /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) ? [path] : [];
  });
}

const code = ['apps', 'packages']
  .flatMap((folder) => sources(join(root, folder)))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

const plural = /_(zero|one|two|few|many|other)$/;
const stem = (key: string) => key.replace(plural, '');
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

/** A key is used when it stands in the code as a whole, or when a template literal builds it from a prefix. */
function used(namespace: string, key: string): boolean {
  for (const name of [key, `${namespace}:${key}`]) {
    if (["'", '"', '`'].some((quote) => code.includes(`${quote}${name}${quote}`))) return true;
    // every place where a variable part may start or stand: `a.${x}`, `${x}.b`, `a.${x}Incomplete`
    for (const match of code.matchAll(/`([\w.:-]*)\$\{[^}`]+\}([\w.:-]*)`/g)) {
      const [, before = '', after = ''] = match;
      if (before === '' && after === '') continue;
      if (
        name.startsWith(before) &&
        name.endsWith(after) &&
        name.length > before.length + after.length &&
        (before.includes('.') || after.includes('.'))
      )
        return true;
    }
  }
  return false;
}

it('lists every namespace that has a file', () => {
  const files = readdirSync(join(localeDir, 'en')).map((name) => name.replace('.json', ''));
  expect([...namespaces].sort()).toEqual(files.sort());
});

describe.each([...namespaces])('%s', (namespace) => {
  const english = texts('en', namespace);

  it.each(languages.filter((language) => language !== 'en'))('has the same keys in %s', (language) => {
    const stems = (map: Texts) => [...new Set(Object.keys(map).map(stem))].sort();
    expect(stems(texts(language, namespace))).toEqual(stems(english));
  });

  it.each([...languages])('has every plural form %s needs, and no empty text', (language) => {
    const map = texts(language, namespace);
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const key of Object.keys(map)) {
      expect(map[key]?.trim(), key).not.toBe('');
      if (plural.test(key)) for (const form of needed) expect(map, key).toHaveProperty([`${stem(key)}_${form}`]);
    }
  });

  it.each([...languages])('has the same placeholders in %s', (language) => {
    for (const [key, text] of Object.entries(texts(language, namespace))) {
      const twin = english[key] ?? english[`${stem(key)}_other`];
      expect(placeholders(text), key).toEqual(placeholders(twin ?? ''));
    }
  });

  it('has no text that nothing shows', () => {
    const unused = [...new Set(Object.keys(english).map(stem))].filter((key) => !used(namespace, key));
    expect(unused).toEqual([]);
  });
});

it('writes French the way Quebec does: no-break spaces before colons and percent signs', () => {
  for (const namespace of namespaces) {
    for (const [key, text] of Object.entries(texts('fr', namespace))) expect(text, key).not.toMatch(/ [:%]/);
  }
});
