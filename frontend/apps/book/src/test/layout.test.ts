// @vitest-environment node
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

function files(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) return files(path);
    return /\.tsx?$/.test(name) && !name.includes('.test.') ? [path] : [];
  });
}

const imports = files(root).flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)].map((match) => ({
    from: relative(root, path),
    to: relative(root, join(dirname(path), match[1] ?? '')),
  })),
);
const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1];

it('lets no feature import another: what two of them need lives in app/', () => {
  const crossing = imports.filter(
    ({ from, to }) => featureOf(from) && featureOf(to) && featureOf(from) !== featureOf(to),
  );
  expect(crossing).toEqual([]);
});

it('keeps app/ below the features, apart from the router that composes them', () => {
  const upward = imports.filter(
    ({ from, to }) => from.startsWith('app/') && featureOf(to) && from !== 'app/router.tsx',
  );
  expect(upward).toEqual([]);
});

it('keeps every file short enough to read', () => {
  const long = files(root)
    .map((path) => ({ path: relative(root, path), lines: readFileSync(path, 'utf8').split('\n').length }))
    .filter(({ lines }) => lines > 450);
  expect(long).toEqual([]);
});

it('gives no effect an expression body: what it answers would be called as its clean-up', () => {
  const packages = join(root, '../../../packages');
  const bare = [...files(root), ...files(packages).filter((path) => !path.includes('node_modules'))].filter((path) =>
    /use(?:Layout|Insertion)?Effect\(\s*\(\)\s*=>(?!\s*\{)/.test(readFileSync(path, 'utf8')),
  );
  expect(bare).toEqual([]);
});
