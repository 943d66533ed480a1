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
