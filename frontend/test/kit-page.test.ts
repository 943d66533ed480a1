// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { codeOf, filesBelow } from './texts.ts';

const root = join(import.meta.dirname, '..');
const kit = filesBelow(root, 'packages/kit/src');
const page = codeOf(root, filesBelow(root, 'tools/kit-page/src'))
  .map(({ text }) => text)
  .join('\n');

/** Exported names that are written as a component: capital first, no type. */
const components = kit
  .filter((path) => path === 'packages/kit/src/index.ts' || /desk\/\w+\/index\.ts$/.test(path))
  .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/export \{([^}]*)\}/g)])
  .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
  .filter((name) => /^[A-Z]\w*$/.test(name));

it('finds the components of the kit', () => {
  expect(components).toEqual(expect.arrayContaining(['TextField', 'Dialog', 'DataTable', 'CommandPalette']));
});

it('shows every component of the kit on the kit page', () => {
  const missing = components.filter((name) => !new RegExp(`<${name}[\\s/>]`).test(page));
  expect(missing, 'draw these in a section of tools/kit-page, so that pictures show all their states').toEqual([]);
});
