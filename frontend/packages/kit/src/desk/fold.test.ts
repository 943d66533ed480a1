// @vitest-environment node
import { expect, it } from 'vitest';

import { fold, foldWithPlaces } from './fold.ts';
import { fuzzyMatch } from './palette/fuzzy.ts';

// those of the server's own test: both search by the same rules
it.each([
  ['ÉVÊQUE 搬家', 'eveque 搬家'],
  ['Ｔｏｒｏｎｔｏ １２', 'toronto 12'],
  ['Cœur', 'coeur'],
  ['Lætitia', 'laetitia'],
  ['Wałęsa', 'walesa'],
  ['Sørensen', 'sorensen'],
  ['Đoković', 'dokovic'],
  ['Weiß', 'weiss'],
  ['WEIẞ', 'weiss'],
  ['Þór', 'thor'],
  ['Guðrún', 'gudrun'],
  ['Yılmaz', 'yilmaz'],
])('folds %s as who has no such key writes it', (written, typed) => {
  expect(fold(written)).toBe(typed);
  expect(fold(typed)).toBe(typed);
});

it.each(["'", '’', '‘', '´', 'ʼ', '＇'])('takes %s for an apostrophe', (sign) => {
  expect(fold(`O${sign}Neil`)).toBe("o'neil");
});

it('keeps the places of the text as it is written', () => {
  expect(foldWithPlaces('Cœur').at).toEqual([0, 1, 1, 2, 3]);
  expect(fuzzyMatch('coeur', 'Sacré-Cœur')?.places).toEqual([6, 7, 8, 9]);
  expect(fuzzyMatch("l'ile", 'L’Île')?.places).toEqual([0, 1, 2, 3, 4]);
});
