// @vitest-environment node
import { expect, it } from 'vitest';

import { countSelected, isSelected, nothingSelected, rowsBetween, selectRows } from './selection.ts';

const page = ['a', 'b', 'c', 'd'];

it('takes everything between two rows, in either direction', () => {
  expect(rowsBetween(page, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(rowsBetween(page, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(rowsBetween(page, null, 'c')).toEqual(['c']);
  expect(rowsBetween(page, 'on another page', 'c')).toEqual(['c']);
});

it('keeps rows of other pages', () => {
  const selection = selectRows({ keys: new Set(['z']), allMatching: false }, page, true, page);
  expect(countSelected(selection, 100)).toBe(5);
  expect([...selectRows(selection, page, false, page).keys]).toEqual(['z']);
});

it('counts everything that matches, and leaves the page when one of it is left', () => {
  const all = { keys: new Set<string>(), allMatching: true };
  expect(countSelected(all, 214)).toBe(214);
  expect(isSelected(all, 'never seen')).toBe(true);
  const rest = selectRows(all, ['b'], false, page);
  expect(rest).toEqual({ keys: new Set(['a', 'c', 'd']), allMatching: false });
  expect(isSelected(nothingSelected, 'a')).toBe(false);
});
