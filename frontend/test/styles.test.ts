// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { filesBelow } from './texts.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const paths = ['apps', 'packages', 'tools'].flatMap((folder) => filesBelow(root, folder));
const sheets = paths.filter((path) => path.endsWith('.css') || path.endsWith('index.html'));
const comments = /\/\*[\s\S]*?\*\//g;

/** Text that a larger font of the browser would leave as small as it is. */
const fixedText =
  /(?:font-size|line-height|--input-fz|--pg-(?:fs|lh)[\w-]*):\s*[\d.]+px|font:[^;]*\d px|font:[^;{}]*\b[\d.]+px/g;

it('sizes text by the font that the person has chosen', () => {
  expect(sheets.length).toBeGreaterThan(50);
  const fixed = sheets.flatMap((path) =>
    [...read(path).replaceAll(comments, '').matchAll(fixedText)].map((found) => `${path}: ${found[0]}; write rem`),
  );
  expect(fixed).toEqual([]);
});

it('changes its layout by how much text fits, which a larger font of the browser makes less', () => {
  const mine = sheets.filter((path) => /^(?:apps\/book|packages)\//.test(path) && !path.includes('/desk/'));
  const fixed = mine.flatMap((path) =>
    [...read(path).matchAll(/\((?:min|max)-width: [\d.]+px\)/g)].map((found) => `${path}: ${found[0]}; write em`),
  );
  expect(fixed).toEqual([]);
});

it('tells what is chosen in colours of the system too', () => {
  const base = read('packages/kit/src/styles/base.css');
  const forced = /@media \(forced-colors: active\) \{[\s\S]*?\n\}/.exec(base)?.[0] ?? '';
  for (const chosen of [
    'button[data-chosen]',
    "button[aria-pressed='true']",
    'label[data-checked]',
    '.mantine-Checkbox-input:checked',
  ])
    expect(forced).toContain(chosen);
  expect(forced).toContain('background: Highlight');
  // these draw their choice by colour alone, under the names the rule knows
  expect(read('apps/book/src/features/schedule/month-grid.tsx')).toContain('data-chosen=');
  for (const path of ['apps/book/src/features/schedule/slot-list.tsx', 'packages/kit/src/choice-group.tsx'])
    expect(read(path)).toContain('data-checked=');
});

it.each(['book', 'ops'])('says in every language what is missing without scripts (%s)', (app) => {
  const [, said = ''] = /<noscript>([\s\S]*?)<\/noscript>/.exec(read(`apps/${app}/index.html`)) ?? [];
  for (const language of ['en', 'fr', 'zh']) expect(said).toMatch(new RegExp(`lang="${language}">[^<]*JavaScript`));
});

it('prints nothing that belongs to the demonstration', () => {
  const printed = (path: string) => /@media print \{[\s\S]*\}\s*$/.exec(read(path))?.[0] ?? '';
  expect(printed('apps/book/src/shell/banners.module.css')).toMatch(/\.root[^}]*display: none/);
  expect(printed('apps/book/src/features/confirmation/confirmation.module.css')).toMatch(/\.demo,[^}]*display: none/);
});
