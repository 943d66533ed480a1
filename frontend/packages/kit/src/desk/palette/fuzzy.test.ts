// @vitest-environment node
import { expect, it } from 'vitest';

import { findCommands, withRecent } from './commands.ts';
import { fuzzyMatch } from './fuzzy.ts';

const score = (query: string, text: string) => fuzzyMatch(query, text)?.score ?? null;
const marked = (query: string, text: string) =>
  (fuzzyMatch(query, text)?.places ?? []).map((place) => String.fromCodePoint(text.codePointAt(place) ?? 0)).join('');

it('finds by beginnings, by stretches, in any order of words, without accents or case', () => {
  for (const [query, text] of [
    ['book', 'New booking'],
    ['nb', 'New booking'],
    ['booking new', 'New booking'],
    ['reser', 'Annuler une réservation'],
    ['RESERVE', 'réservé'],
    ['calcap', 'Calendar of capacity'],
    ['ｂｏｏｋ', 'Bookings'],
    ['49gc', '49GC9E'],
  ])
    expect(score(query ?? '', text ?? ''), `${query} in ${text}`).not.toBeNull();
});

it('does not find letters strewn over a text', () => {
  expect(score('oig', 'New booking')).toBeNull();
  expect(score('zzzz', 'Bookings')).toBeNull();
  expect(score('kb', 'book')).toBeNull();
});

it('finds Chinese by some of its characters, in order or not', () => {
  expect(marked('预订', '取消预订')).toBe('预订');
  expect(marked('取订', '取消预订')).toBe('取订');
  expect(marked('预订取消', '取消预订')).toBe('取消预订');
  expect(score('预约', '取消预订')).toBeNull();
  expect(score('订', '预订')).not.toBeNull();
  expect(score('', '预订')).toBe(0);
});

it('prefers whole beginnings', () => {
  const best = (query: string, ...texts: string[]) =>
    texts.toSorted((a, b) => (score(query, b) ?? -1) - (score(query, a) ?? -1))[0];
  expect(best('book', 'Cancel a booking', 'Bookings', 'Best of our keys')).toBe('Bookings');
  expect(best('预订', '取消预订', '预订')).toBe('预订');
  expect(best('cal', 'Historical', 'Calendar')).toBe('Calendar');
});

it('marks the characters of the text as it is written', () => {
  expect(fuzzyMatch('ete', 'Été')?.places).toEqual([0, 1, 2]);
  expect(fuzzyMatch('new', '🚚 New')?.places).toEqual([3, 4, 5]);
});

const command = (id: string, label: string, words: string[] = []) => ({ id, label, words, onRun: () => {} });
const groups = [
  {
    key: 'go',
    label: 'Go to',
    commands: [command('bookings', '预订', ['bookings', 'yuding']), command('mates', '搬运工')],
  },
  { key: 'do', label: 'Do', commands: [command('cancel', '取消预订'), command('new', '新建预订')] },
];
const ids = (query: string) => findCommands(groups, query).map((group) => group.found.map((one) => one.command.id));

it('finds commands by other words for them, and puts the best group first', () => {
  expect(ids('yud')).toEqual([['bookings']]);
  expect(ids('预订')[0]?.[0]).toBe('bookings');
  expect(ids('取消')).toEqual([['cancel']]);
  expect(ids('')).toEqual([
    ['bookings', 'mates'],
    ['cancel', 'new'],
  ]);
  expect(ids('nothing')).toEqual([]);
});

it('shows what the server found as it came, before the rest', () => {
  const found = { key: 'server', label: 'Found', commands: [command('x', 'Roy, C.')], matched: true };
  expect(findCommands([...groups, found], '514 555').map((group) => group.key)).toEqual(['server']);
});

it('puts what was run last first, once', () => {
  const listed = withRecent(groups, ['new', 'gone', 'mates'], 'Recent');
  expect(listed.map((group) => group.commands.map((one) => one.id))).toEqual([
    ['new', 'mates'],
    ['bookings'],
    ['cancel'],
  ]);
  expect(withRecent(groups, [], 'Recent')).toHaveLength(2);
});
