// What others wrote and a release contains: every Rust crate that is linked into the program and every npm
// package that the web apps may bundle, with their licence texts. The same tree gives the same bytes.
//   node scripts/release/notices.mjs [target triple] > THIRD-PARTY-NOTICES.txt
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const target = process.argv[2];
const licenceFile = /^(licen[cs]e|copying|copyright|notice|unlicense)([-_. ].*)?$/i;
// Sources are licensed in their headers, too; only texts are wanted here.
const source = /\.(rs|c|h|cc|cpp|go|py|js|ts|pl|sh|cmake|json|toml|ya?ml|html|spdx)$/i;
const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function cargo(...args) {
  return execFileSync('cargo', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** Paths of the licence texts of a folder; of all folders below as well when it carries other people's code. */
function texts(folder, deep, found = []) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => order(a.name, b.name))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (deep && entry.name !== 'node_modules') texts(path, deep, found);
    } else if (licenceFile.test(entry.name) && !source.test(entry.name)) {
      found.push(path);
    }
  }
  return found;
}

/** Line ends and trailing blanks are no difference between two licences. */
const plain = (text) =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll('\f', '')
    .replace(/^\n+/, '')
    .trimEnd();

const apache = plain(readFileSync(join(root, 'LICENSE'), 'utf8'));
const mit = (holders) => `MIT License

Copyright (c) ${holders}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

const postgresql = `PostgreSQL Database Management System
(formerly known as Postgres, then as Postgres95)

Portions Copyright (c) 1996-2026, PostgreSQL Global Development Group

Portions Copyright (c) 1994, The Regents of the University of California

Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee,
and without a written agreement is hereby granted, provided that the above copyright notice and this paragraph and
the following two paragraphs appear in all copies.

IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR
CONSEQUENTIAL DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN
IF THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS
IS" BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES,
ENHANCEMENTS, OR MODIFICATIONS.`;

/** The texts of one piece of work; the licence's own where its folder has none. */
function licences({ name, version, licence, authors, folder, deep }) {
  const own = texts(folder, deep).map((path) => plain(readFileSync(path, 'utf8')));
  if (own.length > 0) return own;
  const holders = authors.length > 0 ? authors.join(', ') : `the authors of ${name}`;
  if (/\bMIT\b/.test(licence)) return [mit(holders)];
  if (/Apache-2\.0/.test(licence)) return [apache];
  if (licence === 'PostgreSQL') return [postgresql];
  throw new Error(
    `${name} ${version} (${licence || 'no licence named'}) has no licence text; add a rule to notices.mjs`,
  );
}

function crates() {
  const args = ['tree', '--locked', '-p', 'portage', '-e', 'normal', '--prefix', 'none', '--format', '{p}'];
  const tree = cargo(...args, ...(target ? ['--target', target] : []));
  const linked = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join(' ')));
  const platform = target ? ['--filter-platform', target] : [];
  const { packages } = JSON.parse(cargo('metadata', '--locked', '--format-version', '1', ...platform));
  return packages
    .filter((p) => p.source !== null && linked.has(`${p.name} v${p.version}`))
    .map((p) => ({
      name: p.name,
      version: p.version,
      licence: (p.license ?? '').replaceAll('/', ' OR ').replaceAll(/ +/g, ' '),
      authors: p.authors.map((a) => a.replace(/ *<.*>/, '')),
      folder: dirname(p.manifest_path),
      // Crates that carry a C library carry its licences somewhere below.
      deep: /-(sys|src)$/.test(p.name),
    }));
}

/** npm packages the apps name, and what those name, as installed. */
function modules() {
  const lock = JSON.parse(readFileSync(join(root, 'frontend/package-lock.json'), 'utf8')).packages;
  const found = new Map();
  const queue = Object.keys(lock).filter((path) => /^apps\/[^/]+$/.test(path));
  const seen = new Set(queue);
  while (queue.length > 0) {
    const from = queue.shift();
    for (const name of Object.keys(lock[from].dependencies ?? {})) {
      let at = from;
      let path = null;
      // As Node looks for it: beside, then ever further up.
      while (path === null) {
        const here = join(at, 'node_modules', name);
        if (lock[here]) path = lock[here].link ? lock[here].resolved : here;
        else if (at === '' || at === '.') throw new Error(`${name} of ${from} is not in the lock file`);
        else at = at.includes('/') ? dirname(at) : '';
      }
      if (seen.has(path)) continue;
      seen.add(path);
      queue.push(path);
      if (path.includes('node_modules/')) found.set(path, name);
    }
  }
  const works = [...found].map(([path, name]) => {
    const folder = join(root, 'frontend', path);
    if (!existsSync(folder)) throw new Error(`${path} is not installed: npm ci in frontend/`);
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const author = typeof about.author === 'string' ? about.author : about.author?.name;
    return {
      name,
      version: lock[path].version,
      licence: typeof about.license === 'string' ? about.license : (about.license?.type ?? ''),
      authors: author ? [author.replace(/ *[<(].*/, '')] : [],
      folder,
      deep: false,
    };
  });
  // Installed at two places, listed once.
  return [...new Map(works.map((work) => [`${work.name} ${work.version}`, work])).values()];
}

const sections = [
  ['Rust crates linked into the program', crates()],
  ['npm packages of the web apps', modules()],
];
const line = '='.repeat(100);
const out = [
  'Portage is licensed under the Apache License, Version 2.0 (file LICENSE). It contains the work of others, listed here',
  'with the licences it comes under. docs/data-credits.md has the sources of its data. The Rust standard library is',
  'Copyright (c) The Rust Project Contributors, under MIT OR Apache-2.0.',
  '',
];
/** Text to those who use it. */
const used = new Map();
for (const [title, works] of sections) {
  if (works.length === 0) throw new Error(`${title}: none found`);
  works.sort((a, b) => order(a.name, b.name) || order(a.version, b.version));
  out.push(title, '-'.repeat(title.length), '');
  for (const work of works) {
    out.push(`${work.name} ${work.version}  ${work.licence || '(see its text)'}`);
    for (const text of new Set(licences(work)))
      used.set(text, [...(used.get(text) ?? []), `${work.name} ${work.version}`]);
  }
  out.push('');
}
for (const [text, names] of [...used].sort((a, b) => order(a[1][0], b[1][0]) || order(a[0], b[0]))) {
  out.push(line, `Of: ${names.join(', ')}`, line, '', text, '');
}
process.stdout.write(`${out.join('\n')}\n`);
console.error(
  `${basename(import.meta.url)}: ${sections.map(([t, w]) => `${w.length} ${t}`).join(', ')}; ${used.size} licence texts`,
);
