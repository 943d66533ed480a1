// @vitest-environment node
import { expect, it } from 'vitest';

import { tableCodec } from './table-state.ts';

const columns = [
  { key: 'who', main: true },
  { key: 'when', sortable: true },
  { key: 'total', sortable: true },
  { key: 'volume', offAtFirst: true },
];
const codec = tableCodec({ columns, sort: { by: 'when', descending: false }, perPage: [50, 25] });

it('reads what it wrote', () => {
  const state = {
    sort: { by: 'total', descending: true },
    page: 3,
    perPage: 25,
    columns: ['who', 'volume'],
    rows: 'roomy',
  } as const;
  const written = codec.write(state);
  expect(written).toEqual({ sort: '-total', page: 3, perPage: 25, columns: 'who,volume', rows: 'roomy' });
  // an address holds texts only
  expect(codec.read(Object.fromEntries(Object.entries(written).map(([k, v]) => [k, String(v)])))).toEqual(state);
  expect(codec.read(written)).toEqual(state);
});

it('leaves out what is usual', () => {
  expect(Object.values(codec.write(codec.first)).every((value) => value === undefined)).toBe(true);
  expect(codec.read({})).toEqual(codec.first);
});

it('can say that nothing is ordered', () => {
  const written = codec.write({ ...codec.first, sort: null });
  expect(written['sort']).toBe('none');
  expect(codec.read(written).sort).toBeNull();
});

it('falls back silently for whatever is wrong', () => {
  for (const page of [-3, 0, 1.5, 'x', null, {}, '9e99'])
    expect(codec.read({ page }).page, JSON.stringify(page)).toBe(1);
  expect(codec.read({ sort: 'evil' }).sort).toEqual(codec.first.sort);
  expect(codec.read({ sort: 'who' }).sort).toEqual(codec.first.sort);
  expect(codec.read({ perPage: 7 }).perPage).toBe(50);
  expect(codec.read({ columns: 'nothing,known' }).columns).toEqual(codec.first.columns);
  expect(codec.read({ rows: 'tall' }).rows).toBe('dense');
});

it('never hides the column that names the row', () => {
  expect(codec.read({ columns: 'total' }).columns).toEqual(['who', 'total']);
});

it('keeps two tables on a page apart', () => {
  const crew = tableCodec({ columns, prefix: 'crew.' });
  const search = { page: 4, 'crew.page': 2 };
  expect(codec.read(search).page).toBe(4);
  expect(crew.read(search).page).toBe(2);
  expect(Object.keys(crew.write(crew.first)).every((name) => name.startsWith('crew.'))).toBe(true);
});
