import { expect, it } from 'vitest';

import { searchLength } from './search-length.ts';

it.each([
  ['', 0],
  [' r ', 1],
  ['ro', 2],
  ['李', 2],
  ['欧阳', 4],
  ['𠮷', 2],
])('counts %j as %i', (text, length) => {
  expect(searchLength(text)).toBe(length);
});
