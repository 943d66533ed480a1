#!/usr/bin/env node
// Lists what the program defines and never uses: functions (methods and those of ports, too), types, constants and
// statics whose name stands in no other place of the program than where it is defined. Tests do not count.
//
//     just uncalled
//
// With `--quiet` what is listed with a reason is left out of the output.
//
// Compilers tell this of one crate at a time and of private names; here every crate is looked at together. A name that
// several things share counts as used when any of them is, so nothing is listed wrongly for that reason, and something
// may be missed. What may stay without a caller stands in `uncalled.txt` beside it, with the reason; anything else makes
// the command fail, and so does a name in that list that has a caller by now.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const crates = join(root, 'crates');
const list = fileURLToPath(new URL('uncalled.txt', import.meta.url));

const defined = /^\s*pub(?:\([^)]*\))?\s+(?:const\s+|async\s+|unsafe\s+)*(?:fn|struct|enum|trait|type|const|static)\s+(\w+)/;
const ofTrait = /^ {4}(?:async\s+)?fn\s+(\w+)/;

/** The text of a file up to its module of tests, or of checks that the conformance suite runs; without comments. */
function withoutTests(text) {
  const tests = /^#\[cfg\((?:all\()?test|^#\[cfg\(.*feature = "testing".*\)\]\npub(?:\(crate\))? mod checks/m.exec(text);
  const lines = (tests ? text.slice(0, tests.index) : text).split('\n');
  return lines.map((line) => line.replace(/(^|\s)\/\/.*/, '')).join('\n');
}

const isTest = (parts) => {
  const name = basename(parts.at(-1), '.rs');
  return name.endsWith('tests') || name === 'testing' || ['tests', 'testing', 'simulation', 'test-kit'].some((folder) => parts.includes(folder));
};
const texts = new Map(
  readdirSync(crates, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => path.split(sep))
    .filter((parts) => parts.includes('src') && parts.at(-1).endsWith('.rs') && !isTest(parts))
    .map((parts) => join(crates, ...parts))
    .map((path) => [path, withoutTests(readFileSync(path, 'utf8'))]),
);

// How often each word stands in the program. A name that is only passed on (`pub use`) is not used by that.
const seen = new Map();
const functions = new Map();
const count = (all, word) => all.set(word, (all.get(word) ?? 0) + 1);
for (const text of texts.values()) {
  for (const [word] of text.replace(/^\s*pub(?:\([^)]*\))? use [^;]*;/gm, '').matchAll(/\b[A-Za-z_]\w*\b/g)) count(seen, word);
  for (const [, word] of text.matchAll(/\bfn (\w+)\b/g)) count(functions, word);
}

const found = [];
for (const [path, text] of texts) {
  let inTrait = false;
  for (const [at, line] of text.split('\n').entries()) {
    inTrait = line.startsWith('pub trait ') || (inTrait && !line.startsWith('}'));
    const name = (defined.exec(line) ?? (inTrait ? ofTrait.exec(line) : null))?.[1];
    if (name === undefined) continue;
    // A method of a port is also written where it is implemented.
    const own = inTrait ? (functions.get(name) ?? 1) : 1;
    if ((seen.get(name) ?? 0) <= own) found.push({ at: `${relative(root, path)}:${at + 1}`, name });
  }
}

const lines = readFileSync(list, 'utf8').split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
const reasons = new Map(lines.map((line) => [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)]));
const quiet = process.argv.includes('--quiet');
for (const { at, name } of found) if (!quiet || !reasons.has(name)) console.log(`${at}: ${name}${reasons.has(name) ? `  (${reasons.get(name)})` : ''}`);
const gone = [...reasons.keys()].filter((name) => !found.some((one) => one.name === name));
for (const name of gone) console.log(`uncalled.txt lists ${name}, which has a caller, or is gone: take it out`);
const unlisted = found.filter(({ name }) => !reasons.has(name)).length;
console.log(`${unlisted} without a caller, ${found.length - unlisted} listed, ${gone.length} listed for nothing`);
process.exit(unlisted + gone.length > 0 ? 1 : 0);
