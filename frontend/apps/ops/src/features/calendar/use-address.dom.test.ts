import { expect, it } from 'vitest';

import { readYear } from './use-address.ts';

it.each<[Record<string, unknown>, number, string | null]>([
  [{ year: 2028 }, 2028, null],
  [{ year: 2028, day: '2027-07-01' }, 2027, '2027-07-01'],
  [{ day: '2027-02-30' }, 2026, null],
  [{ year: 'soon' }, 2026, null],
  [{ year: 1 }, 2026, null],
  [{}, 2026, null],
])('reads %j as the year %i and the day %s', (search, year, day) =>
  expect(readYear(search, '2026-11-24')).toEqual({ year, day }),
);
