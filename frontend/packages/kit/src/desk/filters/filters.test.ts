// @vitest-environment node
import { expect, it } from 'vitest';

import { type Filter, filterCodec, withValue } from './filters.ts';

const filters: Filter[] = [
  { kind: 'text', key: 'q', label: 'Search' },
  {
    kind: 'choice',
    key: 'status',
    label: 'Status',
    options: ['pending', 'done'].map((value) => ({ value, label: value })),
  },
  {
    kind: 'choice',
    key: 'hub',
    label: 'Hub',
    one: true,
    options: ['a', 'b'].map((value) => ({ value, label: value })),
  },
  { kind: 'days', key: 'moves', label: 'Moves' },
];
const codec = filterCodec(filters);
const amounts = filterCodec([
  { kind: 'numbers', key: 'mates', label: 'Mates', min: 1, max: 20 },
  { kind: 'text', key: 'slot', label: 'Start', moment: true },
]);

it.each([
  ['2..5', { from: 2, to: 5 }],
  ['3..3', { from: 3, to: 3 }],
  ['2..', { from: 2 }],
  ['..5', { to: 5 }],
])('reads and writes the numbers %s', (mates, range) => {
  expect(amounts.read({ mates })).toEqual({ mates: { kind: 'numbers', range } });
  expect(amounts.write(amounts.read({ mates }))).toEqual({ mates, slot: undefined });
});

it.each(['5..2', '0..3', '1..21', '..', '2', 'a..b', '2..3..4', '-1..3'])('knows no numbers %s', (mates) => {
  expect(amounts.read({ mates })).toEqual({});
});

it('takes a day with its time of day only whole', () => {
  expect(amounts.read({ slot: '2027-06-24T09:30' })).toEqual({ slot: { kind: 'text', text: '2027-06-24T09:30' } });
  expect(amounts.read({ slot: '2027-06-24' })).toEqual({});
});

it('names the filters whose value it leaves out, wholly or in part', () => {
  const keys = (search: Record<string, unknown>) => codec.unread(search).map(({ key }) => key);
  expect(keys({ q: 5145550100, status: 'done,pending', hub: 'a', moves: 'next7' })).toEqual([]);
  expect(keys({ q: '', status: '', hub: undefined })).toEqual([]);
  expect(keys({ q: { a: 1 }, status: 'pending,gone', hub: 'a,b', moves: 'soon' })).toEqual([
    'q',
    'status',
    'hub',
    'moves',
  ]);
  expect(keys({ status: 'gone' })).toEqual(['status']);
});

it('reads what it wrote', () => {
  const values = {
    q: { kind: 'text', text: 'Roy, Camille' },
    status: { kind: 'choice', values: ['pending', 'done'] },
    moves: { kind: 'days', range: 'next7' },
  } as const;
  expect(codec.write(values)).toEqual({
    q: 'Roy, Camille',
    status: 'pending,done',
    hub: undefined,
    moves: 'next7',
  });
  expect(codec.read(codec.write(values))).toEqual(values);
});

it('leaves out silently what is unknown or wrong', () => {
  expect(codec.read({ q: '  ', status: 'evil', hub: 7, moves: '2027-02-30..', other: 'x' })).toEqual({});
  expect(codec.read({ status: 'done,evil', hub: 'b,a' })).toEqual({
    status: { kind: 'choice', values: ['done'] },
    hub: { kind: 'choice', values: ['a'] },
  });
});

it('reads a telephone number that a router took for a number', () => {
  expect(codec.read({ q: 5_145_550_199 })).toEqual({ q: { kind: 'text', text: '5145550199' } });
});

it('keeps two bars on a page apart', () => {
  const crew = filterCodec(filters, 'crew.');
  expect(crew.read({ q: 'not mine', 'crew.q': 'mine' })).toEqual({ q: { kind: 'text', text: 'mine' } });
});

it('sets one value and takes it away', () => {
  const one = withValue({}, 'q', { kind: 'text', text: 'a' });
  expect(one).toEqual({ q: { kind: 'text', text: 'a' } });
  expect(withValue(one, 'q', null)).toEqual({});
});
