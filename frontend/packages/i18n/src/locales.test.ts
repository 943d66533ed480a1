// @vitest-environment node
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

import { languages } from './languages.ts';

const root = join(import.meta.dirname, '../../..');
type Texts = Record<string, string>;

function filesBelow(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) return ['node_modules', 'dist', 'test'].includes(name) ? [] : filesBelow(path);
    return [path];
  });
}

const all = ['apps', 'packages', 'tools'].flatMap((folder) => filesBelow(join(root, folder)));

/** Every folder of texts with the namespaces in it, and the program that may use them: an app's are its own. */
const owners = all
  .map((path) => /^(.*\/locales)\/en\/([^/]+)\.json$/.exec(path))
  .filter((match) => match !== null)
  .map(([, folder = '', namespace = '']) => ({
    folder,
    namespace,
    name: relative(root, join(folder, namespace)),
    app: /apps\/[^/]+\//.exec(folder)?.[0] ?? '',
  }));

function texts(folder: string, language: string, namespace: string): Texts {
  return JSON.parse(readFileSync(join(folder, language, `${namespace}.json`), 'utf8')) as Texts;
}

function codeOf(app: string): string {
  return all
    .filter((path) => path.includes(app) && /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}
const codes = new Map([...new Set(owners.map(({ app }) => app))].map((app) => [app, codeOf(app)]));

const plural = /_(zero|one|two|few|many|other)$/;
const stem = (key: string) => key.replace(plural, '');
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

/** A key is used when it stands in the code as a whole, or when a template literal builds it from a prefix. */
function used(code: string, namespace: string, key: string): boolean {
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

it('finds the texts of the apps, the features and the packages', () => {
  const names = owners.map(({ name }) => name);
  expect(names).toContain('packages/i18n/src/locales/common');
  expect(names).toContain('packages/domain/src/locales/domain');
  expect(names).toContain('apps/book/src/features/quote/locales/quote');
});

it('names every namespace once in what an app is made of', () => {
  for (const app of new Set(owners.map((owner) => owner.app).filter(Boolean))) {
    const names = owners.filter((owner) => owner.app === '' || owner.app === app).map(({ namespace }) => namespace);
    expect(names).toEqual([...new Set(names)]);
  }
});

it('has the keys of every namespace in the types of the code', () => {
  for (const { folder, namespace } of owners) {
    let place = dirname(folder);
    const declared = () =>
      ['texts.ts', 'resources.ts'].some(
        (name) =>
          existsSync(join(place, name)) &&
          readFileSync(join(place, name), 'utf8').includes(`${namespace}: typeof ${namespace};`),
      );
    while (!declared() && place !== root) place = dirname(place);
    expect(place, `${namespace}: add it to the texts.ts above ${relative(root, folder)}`).not.toBe(root);
  }
});

describe.each(owners)('$name', ({ folder, namespace, app }) => {
  const english = texts(folder, 'en', namespace);

  it.each(languages.filter((language) => language !== 'en'))('has the same keys in %s', (language) => {
    const stems = (map: Texts) => [...new Set(Object.keys(map).map(stem))].sort();
    expect(stems(texts(folder, language, namespace))).toEqual(stems(english));
  });

  it.each([...languages])('has every plural form %s needs, and no empty text', (language) => {
    const map = texts(folder, language, namespace);
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const key of Object.keys(map)) {
      expect(map[key]?.trim(), key).not.toBe('');
      if (plural.test(key)) for (const form of needed) expect(map, key).toHaveProperty([`${stem(key)}_${form}`]);
    }
  });

  it.each([...languages])('has the same placeholders in %s', (language) => {
    for (const [key, text] of Object.entries(texts(folder, language, namespace))) {
      const twin = english[key] ?? english[`${stem(key)}_other`];
      expect(placeholders(text), key).toEqual(placeholders(twin ?? ''));
    }
  });

  it('has no text that nothing shows', () => {
    const unused = [...new Set(Object.keys(english).map(stem))].filter(
      (key) => !used(codes.get(app) ?? '', namespace, key),
    );
    expect(unused).toEqual([]);
  });
});

it('writes French the way Quebec does: no-break spaces before colons and percent signs', () => {
  for (const { folder, namespace } of owners) {
    for (const [key, text] of Object.entries(texts(folder, 'fr', namespace))) expect(text, key).not.toMatch(/ [:%]/);
  }
});
