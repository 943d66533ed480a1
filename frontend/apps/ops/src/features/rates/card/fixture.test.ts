// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { choicesOf, figuresOf } from './figures.ts';
import { type Card, isWithin, leavesOf } from './paths.ts';
import { fieldIdOf } from './places.ts';

const frontend = join(import.meta.dirname, '../../../../../..');
const read = (path: string) => JSON.parse(readFileSync(join(frontend, path), 'utf8')) as Card;
/** The card that the program starts with. */
const fixture = read('../fixtures/rate-card.json');
const known = [...figuresOf(fixture).map((figure) => figure.path), ...choicesOf(fixture)];

it('has a field for every figure of the card that the program starts with', () => {
  expect(leavesOf(fixture).length).toBeGreaterThan(150);
  expect(leavesOf(fixture).filter((leaf) => !known.some((one) => isWithin(leaf, one)))).toEqual([]);
});

it('has an id of its own for every field', () => {
  const ids = known.map(fieldIdOf);
  expect(ids).toEqual([...new Set(ids)]);
});

it('is tried with a card that has the same figures', () => {
  expect(leavesOf(read('packages/mock-api/src/rate-card.json')).sort()).toEqual(leavesOf(fixture).sort());
});
