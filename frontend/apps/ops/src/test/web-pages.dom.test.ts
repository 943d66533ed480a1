import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { createAppRouter } from '../router.tsx';

it('has the pages that the server knows, which answers 404 to every other address', () => {
  const file = join(import.meta.dirname, '../../../../../fixtures/web-pages.json');
  const pages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const known = Object.keys(pages).filter((path) => path.startsWith('/dashboard'));
  const { basepath, routesByPath } = createAppRouter();
  const own = Object.keys(routesByPath).map((path) => basepath + (path === '/' ? '' : path));
  expect(own.toSorted()).toEqual(known.toSorted());
});
