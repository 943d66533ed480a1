import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { askAgain } from '../import-again.ts';

const folder = mkdtempSync(join(tmpdir(), 'portage-again-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * What `times` tries of this chunk come to. What it imports fails the first times that it is run, and is kept as failed by
 * its address, as WebKit keeps what it could not fetch. A process of its own, for the imports of the platform.
 */
function tries(chunk: string, { fails, times }: { fails: number; times: number }): unknown {
  const counted = `const n = (globalThis.runs = (globalThis.runs ?? 0) + 1);`;
  writeFileSync(
    join(folder, 'late.mjs'),
    `${counted} if (n <= ${fails}) throw new Error('run ' + n); export default n;`,
  );
  writeFileSync(join(folder, 'chunk.mjs'), chunk);
  const program = `
    import { load } from './chunk.mjs';
    const found = [];
    for (let n = 0; n < ${times}; n += 1) found.push(await load().catch((error) => error.message));
    console.log(JSON.stringify(found));`;
  writeFileSync(join(folder, 'main.mjs'), program);
  return JSON.parse(execFileSync(process.execPath, [join(folder, 'main.mjs')]).toString());
}

const chunk = 'export const load = () => import("./late.mjs").then((one) => one.default);';

it('asks for a file that is kept as failed by another address', () => {
  expect(tries(chunk, { fails: 1, times: 2 }), 'without it').toEqual(['run 1', 'run 1']);
  expect(tries(askAgain(chunk), { fails: 1, times: 1 })).toEqual([2]);
  // a person who presses "Try again" when the connection is back
  expect(tries(askAgain(chunk), { fails: 2, times: 2 })).toEqual(['run 1', 3]);
});

it('knows the marks that the build writes', () => {
  expect(tries(askAgain(chunk.replaceAll('"', '`')), { fails: 1, times: 1 })).toEqual([2]);
});

it.each(['import "./one.js";', 'const address = "https://example.com"; import(address)', 'export default 1'])(
  'leaves %s as it is',
  (code) => expect(askAgain(code)).toBe(code),
);
