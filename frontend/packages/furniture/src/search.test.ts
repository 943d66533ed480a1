// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { FurnitureSearch } from './search.ts';

const fixtures = join(import.meta.dirname, '../../../../fixtures');
const rows = (file: string) =>
  readFileSync(join(fixtures, file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => [...line.matchAll(/(?:"([^"]*)"|([^,]*))(?:,|$)/g)].map((cell) => cell[1] ?? cell[2] ?? ''));

const words = new Map(
  rows('furniture-words.csv').map(([id = '', ...lists]) => [id, lists.map((one) => one.split(';'))]),
);
const items = rows('furniture.csv').map(([id = '', category = '', en = '', fr = '', zh = '']) => {
  const [wordsEn = [], wordsFr = [], wordsZh = []] = words.get(id) ?? [];
  return {
    id,
    category: category as 'living-room',
    name: { en, fr, zh },
    words: { en: wordsEn, fr: wordsFr, zh: wordsZh },
  };
});
const search = new FurnitureSearch(items);
const ids = (text: string, language: 'en' | 'fr' | 'zh') => search.find(text, language).map((item) => item.id);

describe('everyday words find the right item among the first three', () => {
  const everyday = rows('furniture-everyday-words.csv');
  it.each(['en', 'fr', 'zh'] as const)('in %s', (language) => {
    const list = everyday.filter(([of]) => of === language);
    expect(list.length).toBeGreaterThanOrEqual(60);
    const missed = list.filter(([, word = '', id = '']) => !ids(word, language).slice(0, 3).includes(id));
    expect(missed.map(([, word = '', id]) => [word, id, ids(word, language).slice(0, 4)])).toEqual([]);
  });
});

it('finds a word while it is typed, and in either number', () => {
  for (const word of ['fri', 'frid', 'fridge', 'FRIDGES'])
    expect(ids(word, 'en').slice(0, 5)).toContain('fridge-standard');
  expect(ids('couches', 'en')[0]).toBe(ids('couch', 'en')[0]);
  expect(ids('tableaux', 'fr')[0]).toBe('picture-framed');
  expect(ids('小桌', 'zh')[0]).toBe('desk-small');
});

it('finds what is called so in the plural before what only begins with the word', () => {
  const found = ids('boxes', 'en');
  expect(found[0]).toBe('box-medium-3-1');
  for (const size of ['box-small-1-5', 'box-large-4-5', 'box-extra-large-6'])
    expect(found.indexOf(size), size).toBeLessThan(found.indexOf('box-spring-single'));
  expect(found).toContain('box-spring-single');
});

it('takes no notice of accents, case, ligatures and punctuation', () => {
  expect(ids('LIT DE BEBE', 'fr')[0]).toBe('crib');
  expect(ids('oeuvre d’art', 'fr')[0]).toBe('picture-framed');
  expect(ids('zzzz', 'en')).toEqual([]);
});

it('finds what is known of a question that is half unknown, and words of other languages after its own', () => {
  expect(ids('grey sofa', 'en')[0]).toBe('couch-3-seats');
  expect(ids('sofa gris', 'fr')[0]).toBe('couch-3-seats');
  expect(ids('laveuse', 'zh')[0]).toBe('washer');
});
