// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import apps from '../apps.json' with { type: 'json' };
import { filesBelow, type Import, importsOf, misplaced, unknownFolders } from './layout.ts';

const root = join(import.meta.dirname, '..');
const sources = filesBelow(root, ['apps', 'packages', 'tools', 'test', 'e2e']);
const imports = sources.flatMap((path) => importsOf(path, readFileSync(join(root, path), 'utf8')));
const complaints = (all: Import[]) => all.flatMap((one) => misplaced(one) ?? []);

it('finds the sources of every app and package', () => {
  for (const { name } of apps) expect(sources).toContain(`apps/${name}/src/main.tsx`);
  expect(sources).toContain('packages/kit/src/index.ts');
  expect(sources).toContain('tools/kit-page/src/main.tsx');
  expect(imports.length).toBeGreaterThan(500);
});

it('finds every import where it may be', () => {
  expect(complaints(imports)).toEqual([]);
});

it('finds no answer of a change that an older read could undo', () => {
  // The first two cancel reads or read again themselves; the third puts one fresh row into a list; the last is what others use.
  const may = [
    'apps/ops/src/features/dispatch/drag.tsx',
    'packages/frame/src/profile-query.ts',
    'apps/ops/src/features/bookings/list/live-rows.tsx',
    'packages/frame/src/keep-answer.ts',
  ];
  const writes = (path: string) => readFileSync(join(root, path), 'utf8').includes('.setQueryData');
  const shipped = sources.filter((path) => /^(?:apps|packages)\//.test(path) && !/\.test\.tsx?$|\/test\//.test(path));
  const found = shipped.filter(writes).filter((path) => !may.includes(path));
  expect(found, 'use keepAnswer of @portage/frame/keep-answer').toEqual([]);
  expect(may.filter((path) => !writes(path))).toEqual([]);
});

it('knows every folder', () => {
  expect(unknownFolders(root), 'add it to test/layout.ts and to the drawing in README.md').toEqual([]);
});

describe('a wrong import is refused with a sentence that says what to do', () => {
  const book = 'apps/book/src';
  it.each([
    [`${book}/features/quote/quote-page.tsx`, '../schedule/calendar.ts', /features\/schedule.*booking\/.*routes\//],
    [`${book}/features/quote/quote-page.tsx`, '../../routes/quote.tsx', /features\/ stands below routes\//],
    [`${book}/booking/hold/use-hold.ts`, '../../features/quote/answers.tsx', /booking\/ stands below features\//],
    [`${book}/booking/draft/draft.ts`, '../hold/use-hold.ts', /booking\/draft\/ stands below booking\/hold\//],
    [`${book}/shell/header.tsx`, '../booking/draft/draft.ts', /shell\/ stands below booking\//],
    [`${book}/shell/header.tsx`, '../router.tsx', /shell\/ stands below the top/],
    [`${book}/shell/header.tsx`, '../test/mock-api.ts', /test/],
    [`${book}/features/new-folder/a.ts`, '../../elsewhere/b.ts', /no place called elsewhere/],
    [`${book}/features/quote/quote-page.tsx`, '../../../../ops/src/main.tsx', /another app/],
    [`${book}/features/quote/quote-page.tsx`, '@portage/ops', /an app is no package/],
    ['apps/ops/src/shell/gate.tsx', '@portage/book', /an app is no package/],
    [`${book}/features/quote/quote-page.tsx`, '/src/features/schedule/calendar.ts', /relative to the file/],
    ['packages/kit/src/money.tsx', '/src/notice.tsx', /relative to the file/],
    ['packages/kit/src/money.tsx', '../../../apps/book/src/shell/header.tsx', /packages stand below the apps/],
    ['packages/kit/src/money.tsx', '@portage/book', /packages stand below the apps/],
    ['packages/kit/src/money.tsx', '@portage/domain', /kit stands below domain/],
    ['packages/kit/src/money.tsx', '@portage/mock-api', /kit stands below mock-api/],
    ['packages/domain/src/duration.ts', '../../kit/src/money.tsx', /by its name, @portage\/kit/],
    ['packages/domain/src/duration.ts', '@portage/kit/src/money.tsx', /shows only what it exports/],
    [`${book}/features/quote/quote-page.tsx`, '@portage/kit/src/money.tsx', /Export what is needed from @portage\/kit/],
    [`${book}/shell/header.tsx`, '../../../../tools/kit-page/src/say.ts', /must not need a tool/],
    ['packages/kit/src/money.tsx', '../../../tools/kit-page/src/say.ts', /must not need a tool/],
    ['tools/kit-page/src/page.tsx', '../../../apps/book/src/shell/header.tsx', /tools know no app/],
    ['tools/kit-page/src/page.tsx', '@portage/ops', /tools know no app/],
    ['tools/kit-page/src/page.tsx', '../../../packages/kit/src/money.tsx', /by its name, @portage\/kit/],
    ['tools/kit-page/src/page.tsx', '@portage/kit/src/money.tsx', /shows only what it exports/],
    ['tools/kit-page/src/page.tsx', '../../api-types/src/types.ts', /no tool imports another/],
    [`${book}/features/quote/quote-page.tsx`, '~/features/schedule/calendar.ts', /relative to the file/],
    [`${book}/features/quote/quote-page.tsx`, '#schedule', /relative to the file/],
    [`${book}/features/quote/quote-page.tsx`, '../shared.ts', /a folder for each feature/],
    [`${book}/features/quote/quote-page.tsx`, '@portage/ops/src/main.tsx', /an app is no package/],
    [`${book}/features/quote/quote-page.tsx`, '@portage/new', /no package called new here/],
    [`${book}/features/quote/quote-page.tsx`, '@portage/mock-api', /only tests/],
    [`${book}/features/quote/quote-page.tsx`, '../../../../../test/words.ts', /nothing from beside it/],
    [`${book}/features/quote/quote-page.tsx`, '../../../../../vite.shared.ts', /nothing from beside it/],
    [`${book}/features/quote/quote-page.tsx`, '../../../../ops/vite.config.ts', /nothing from beside it/],
    ['packages/kit/src/money.tsx', '../../../node_modules/@portage/ops/src/router.tsx', /nothing from beside it/],
    ['packages/kit/src/money.tsx', '@portage/ops/src/router.tsx', /packages stand below the apps/],
  ])('%s imports %s', (from, to, sentence) => {
    expect(complaints(importsOf(from, `import { x } from '${to}';`)).join('\n')).toMatch(sentence);
  });

  it('sees every way of importing', () => {
    const text = [
      "import type { A } from '../schedule/a.ts';",
      "import '../schedule/b.module.css';",
      "const page = lazy(() => import('../schedule/c.tsx'));",
      "export { d } from '../schedule/d.ts';",
      "const all = import.meta.glob('../schedule/*.ts');",
      "const typed = import.meta.glob<{ x: string }>(['./*.ts', '../schedule/*.tsx', '!../schedule/*.test.ts'], {});",
      'const named = import(`../schedule/${name}.ts`);',
      'const plain = import(`../schedule/e.ts`);',
      'const told = import(/* @vite-ignore */ "../schedule/f.ts");',
      'const twice = import(/* one */ /* two */ "../schedule/g.ts");',
      "const below = import(\n // why it is here\n '../schedule/h.ts');",
      "const old = require('../schedule/i.cjs');",
      "new Worker(new URL('../schedule/j.ts', import.meta.url));",
      "import.meta.glob('./*.ts', { base: '../schedule/k' });",
    ].join('\n');
    expect(complaints(importsOf('apps/book/src/features/quote/x.tsx', text))).toHaveLength(14);
  });

  it('sees what styles take over', () => {
    const text = [
      ".a { composes: b from '../schedule/a.module.css'; }",
      "@import '../schedule/b.css';",
      '@import url(../schedule/c.css);',
    ].join('\n');
    expect(complaints(importsOf('apps/book/src/features/quote/x.module.css', text))).toHaveLength(3);
    expect(filesBelow(root, ['packages/kit/src/styles']).length).toBeGreaterThan(0);
  });
});

it('keeps every file short enough to read', () => {
  const long = sources
    .filter((path) => !path.endsWith('schema.d.ts') && !path.includes('.test.'))
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length }))
    .filter(({ lines }) => lines > 450);
  expect(long).toEqual([]);
});

it('gives no effect an expression body: what it answers would be called as its clean-up', () => {
  const bare = sources.filter((path) =>
    /use(?:Layout|Insertion)?Effect\(\s*\(\)\s*=>(?!\s*\{)/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(bare.filter((path) => !path.endsWith('layout.test.ts'))).toEqual([]);
});
