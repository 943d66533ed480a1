import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { createAppRouter } from '../router.tsx';

const pages = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../../fixtures/web-pages.json'), 'utf8'),
) as Record<string, string>;

it('has the pages that the server knows, which answers 404 to every other address', () => {
  const known = Object.keys(pages).filter((path) => !path.startsWith('/dashboard'));
  expect(Object.keys(createAppRouter().routesByPath).toSorted()).toEqual(known.toSorted());
});

it('asks search engines in where somebody may begin, and nowhere else', () => {
  expect(Object.keys(pages).filter((path) => pages[path] === 'indexed')).toEqual(['/', '/locations']);
});
