// @vitest-environment node
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import apps from '../apps.json' with { type: 'json' };
import { languages } from '../packages/i18n/src/languages.ts';
import {
  badHome,
  codeOf,
  declarationOf,
  filesBelow,
  isPlural,
  type Owner,
  ownersOf,
  stem,
  textsOf,
  usersOf,
} from './texts.ts';

const root = join(import.meta.dirname, '..');
const paths = ['apps', 'packages', 'tools'].flatMap((folder) => filesBelow(root, folder));
const owners = ownersOf(paths).map((owner) => ({ ...owner, name: `${owner.folder}: ${owner.namespace}` }));
const code = codeOf(root, paths);

/** A window of the policy is told in the form that a language needs at its place. */
const figure = (name: string) => name.replace(/^(free|lock)(?:Span|SpanShort|Short|Next)$/, '$1Window');
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => figure(match[1] ?? '')).sort();

/** The owners of the texts that one app can show: its own and those of the packages. */
const shownBy = (app: string) => owners.filter((owner) => owner.app === undefined || owner.app === app);

it('finds the texts of the apps, the features and the packages', () => {
  const names = owners.map(({ name }) => name);
  expect(names).toContain('packages/i18n/src: common');
  expect(names).toContain('packages/domain/src: domain');
  expect(names).toContain('apps/book/src/features/quote: quote');
});

it('names every namespace once in what an app is made of', () => {
  for (const { name } of apps) {
    const names = shownBy(name).map(({ namespace }) => namespace);
    expect(names).toEqual([...new Set(names)]);
  }
});

it('has the keys of every namespace in the types of the code', () => {
  for (const owner of owners)
    expect(
      declarationOf(root, owner),
      `add the namespace ${owner.namespace} to a texts.ts in or above ${owner.folder}`,
    ).toBeDefined();
});

it('has the first texts of every app', () => {
  for (const { name } of apps) {
    const first = JSON.parse(readFileSync(join(root, 'apps', name, 'src/first-texts.json'), 'utf8')) as string[];
    expect(shownBy(name).map(({ namespace }) => namespace)).toEqual(expect.arrayContaining(first));
  }
});

it.each([...apps.map(({ name }) => `apps/${name}`), 'tools/kit-page'])(
  'names the texts of its packages in %s',
  (folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const named = readFileSync(join(root, folder, 'src/texts.ts'), 'utf8');
    const used = Object.keys(manifest.dependencies).filter((one) => one.startsWith('@portage/'));
    // the desk's part of the kit has texts of its own
    const desk = code.some(({ path, text }) => path.startsWith(`${folder}/`) && text.includes(`'@portage/kit/desk/`));
    const missing = [...used, ...(desk ? ['@portage/kit/desk'] : [])]
      .filter((one) =>
        existsSync(
          join(root, one.replace('@portage/', 'packages/').replace(/^packages\/[\w-]+/, '$&/src'), 'texts.ts'),
        ),
      )
      .filter((one) => !named.includes(`import '${one}/texts';`));
    // a bundler passes over a package's index that only hands on, and its texts with it
    expect(missing, `import these in ${folder}/src/texts.ts, each with /texts behind it`).toEqual([]);
  },
);

describe.each(owners)('$name', (owner) => {
  const english = textsOf(root, owner, 'en');
  const stems = (map: Record<string, string>) => [...new Set(Object.keys(map).map(stem))].sort();

  it.each(languages.filter((language) => language !== 'en'))('has the same keys in %s', (language) => {
    expect(stems(textsOf(root, owner, language))).toEqual(stems(english));
  });

  it.each([...languages])('has every plural form %s needs, and no empty text', (language) => {
    const map = textsOf(root, owner, language);
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const key of Object.keys(map)) {
      expect(map[key]?.trim(), key).not.toBe('');
      if (isPlural(key)) for (const form of needed) expect(map, key).toHaveProperty([`${stem(key)}_${form}`]);
    }
  });

  it.each([...languages])('has the same placeholders in %s', (language) => {
    for (const [key, text] of Object.entries(textsOf(root, owner, language))) {
      const twin = english[key] ?? english[`${stem(key)}_other`];
      expect(placeholders(text), key).toEqual(placeholders(twin ?? ''));
    }
  });

  it('has no text that nothing shows', () => {
    expect(stems(english).filter((key) => usersOf(code, owner, key).length === 0)).toEqual([]);
  });

  it('lies with what shows it', () => {
    expect(stems(english).flatMap((key) => badHome(owner, key, usersOf(code, owner, key)) ?? [])).toEqual([]);
  });
});

describe('a text that lies in the wrong place is refused with a sentence that says what to do', () => {
  const book = 'apps/book/src';
  const owner = (folder: string, namespace: string): Owner => ({
    folder,
    namespace,
    app: /^apps\/(\w+)/.exec(folder)?.[1],
  });
  const common = owner('packages/i18n/src', 'common');
  const quote = owner(`${book}/features/quote`, 'quote');
  it.each([
    [
      common,
      [`${book}/features/quote/quote-page.tsx`],
      /shown by .*features\/quote alone\. Move it to .*features\/quote\/locales\//,
    ],
    [common, [`${book}/features/quote/a.tsx`, `${book}/booking/edit/b.tsx`], /apps\/book alone.*lowest of them/],
    [common, ['packages/kit/src/dialog.tsx'], /Move it to packages\/kit\/src\/locales\//],
    [
      quote,
      [`${book}/features/move/a.tsx`, `${book}/features/quote/b.tsx`],
      /features\/move\/a\.tsx shows "quote:x".*both may import/,
    ],
    [quote, [`${book}/booking/edit/save-edit.tsx`], /must not import/],
    [
      owner('packages/domain/src', 'domain'),
      ['packages/kit/src/a.tsx', 'packages/domain/src/b.tsx'],
      /kit\/src\/a\.tsx shows/,
    ],
    [
      owner('packages/domain/src', 'domain'),
      ['packages/furniture/src/a.tsx'],
      /only packages\/furniture\/src shows it/,
    ],
  ])('%o shown by %o', (home, users, sentence) => {
    expect(badHome(home, 'x', users)).toMatch(sentence);
  });

  it('lets a text lie in the lowest of the places that show it', () => {
    expect(badHome(common, 'x', ['packages/kit/src/a.tsx', `${book}/features/quote/b.tsx`])).toBeUndefined();
    const shell = owner(`${book}/shell`, 'shell');
    expect(badHome(shell, 'x', [`${book}/features/quote/a.tsx`, `${book}/features/move/b.tsx`])).toBeUndefined();
    expect(badHome(quote, 'x', [`${book}/features/quote/a.tsx`])).toBeUndefined();
  });
});

/** English texts that stand twice for a reason. */
const twice: Record<string, string> = {
  'Next month': 'a button that turns the page of a calendar, and a span of time',
  Overtime: 'kinds of a price line and codes of a line are two lists of the API',
  'Sending {name}': 'files of the back office, photos of a customer: neither app has the texts of the other',
  waiting: 'files of the back office, photos of a customer: neither app has the texts of the other',
  Booking: 'the last step of the wizard, a heading of the back office: neither app has the texts of the other',
  Change: 'links of the wizard, a button of the back office: neither app has the texts of the other',
  'Who comes': 'a change of a customer, a column of the back office: neither app has the texts of the other',
  'Services beside the move': 'a change of a customer, a group of rates: neither app has the texts of the other',
  'Add photos': 'photos of a customer, photos in the record: neither app has the texts of the other',
  'This file is empty. Choose another one.':
    'photos of a customer, photos in the record: neither app has the texts of the other',
  'Photo {n}': 'photos of a customer, photos in the record: neither app has the texts of the other',
  nothing: 'a change of a customer, the trail of the back office: neither app has the texts of the other',
  'Discount code': 'a field of the wizard, records of the back office: neither app has the texts of the other',
  card: 'a kind of record that the trail is about, a way to pay: the trail names other kinds beside it',
  invoice: 'a kind of record that the trail is about, a way to pay: the trail names other kinds beside it',
  'Kind of move': 'a question of the wizard, a field of the back office: neither app has the texts of the other',
  Menu: 'each of the two apps has a header of its own',
  closed: 'a day nobody can book, a day of the back office: neither app has the texts of the other',
  'Ride along': 'kinds of a price line and codes of a line are two lists of the API',
};

it('has one home for every English text', () => {
  const homes = new Map<string, Set<string>>();
  for (const owner of owners)
    for (const [key, text] of Object.entries(textsOf(root, owner, 'en')))
      homes.set(text, (homes.get(text) ?? new Set<string>()).add(`${owner.namespace}:${stem(key)}`));
  const complaints = [...homes].flatMap(([text, names]) =>
    names.size > 1 && !(text in twice)
      ? [`"${text}" is ${[...names].join(' and ')}. Keep one of them, or write the reason into test/texts.test.ts.`]
      : [],
  );
  expect(complaints).toEqual([]);
  for (const text of Object.keys(twice))
    expect(homes.get(text)?.size ?? 0, `${text} stands once now`).toBeGreaterThan(1);
});

it('puts no sentence together in code', () => {
  const joined = code.flatMap(({ path, text }) =>
    [
      /`[^`]*\$\{t\(/,
      /\bt\('[^']+'(?:, \{[^}]*\})?\)\s*\+/,
      /\+\s*t\('/,
      /\bt\([^()]*\)\.to(?:Locale)?(?:Lower|Upper)Case/,
      // Chinese has no space between sentences: formatSentences knows
      /\{t\([^{}]*\)\} \{t\(/,
      /\bt\('[^']+'\)\}\{' '\}\s*\{/,
    ]
      .filter((shape) => shape.test(text))
      .map((shape) => `${path} puts texts together (${shape.source}). Make them one text with parameters.`),
  );
  expect(joined).toEqual([]);
});
