// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { drawings } from './index.tsx';

const ids = readFileSync(join(import.meta.dirname, '../../../../../fixtures/furniture.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',')[0] ?? '');

it('has a drawing for every piece of the catalogue, and none besides', () => {
  expect(ids.length).toBeGreaterThan(150);
  expect(Object.keys(drawings).sort()).toEqual([...ids].sort());
});

it('draws different things differently', () => {
  const paths = Object.values(drawings).map((drawing) => drawing.map(([, path]) => path).join(''));
  expect(new Set(paths).size).toBe(paths.length);
});

it('draws nothing outside of its field', () => {
  const far = Object.entries(drawings).flatMap(([id, drawing]) =>
    drawing.flatMap(([, path]) =>
      [...path.matchAll(/M(-?[\d.]+) (-?[\d.]+)/g)]
        .filter(([, x, y]) => Number(x) < 0 || Number(x) > 96 || Number(y) < 0 || Number(y) > 72)
        .map(([at]) => `${id}: ${at}`),
    ),
  );
  expect(far).toEqual([]);
});
