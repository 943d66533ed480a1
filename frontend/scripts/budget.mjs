// Reads Vite's manifests and fails when a page costs more than its budget in apps.json (gzip, kB = 1000 bytes).
// First page: everything index.html loads before anything is pressed, texts of one language included.
// Files of the first page: each costs a slow phone a way there and back, and index.html must name all of them, so that
// none waits for another; the same for the pages of the app's early-pages.json.
// Fetched ahead: what comes while the browser is idle, because most people need it next.
// A later page: what its route adds to both.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { apps, distOf, earlyPagesOf } from './apps.mjs';

/** Checks one app and answers the names of what is too large. */
function check({ name, fetchedAhead, budget, ...app }) {
  const dist = distOf({ name, ...app });
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const kb = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000;
  const sum = (files) => [...files].reduce((total, file) => total + kb(file), 0);

  /** Files a chunk needs at once: itself, its static imports, their styles. */
  function closure(key, js = new Set(), css = new Set(), seen = new Set()) {
    if (seen.has(key)) return { js, css };
    seen.add(key);
    const chunk = manifest[key];
    js.add(chunk.file);
    for (const style of chunk.css ?? []) css.add(style);
    for (const next of chunk.imports ?? []) closure(next, js, css, seen);
    return { js, css };
  }

  const texts = (language) => {
    const file = Object.values(manifest).find((chunk) => chunk.name === `texts-${language}`)?.file;
    if (!file) throw new Error(`the build of ${name} has no file with the first texts in ${language}`);
    return [file];
  };

  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
  if (!entry) throw new Error(`no entry in the manifest of ${name}; run the build first`);
  const failures = [];
  const report = (what, size, limit) => {
    console.log(`${`${name}: ${what}`.padEnd(34)} ${size.toFixed(1).padStart(7)} kB of ${limit}`);
    if (size > limit) failures.push(`${name}: ${what}`);
  };
  const first = closure(entry);
  report(
    'first page, JS',
    sum(first.js) + Math.max(...['en', 'fr', 'zh'].map((language) => sum(texts(language)))),
    budget.firstJs,
  );
  report('first page, CSS', sum(first.css), budget.firstCss);
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  /** Files of a chunk, all of which index.html must name. */
  const named = ({ js, css }) => {
    const files = [...js, ...css];
    for (const file of files.filter((one) => !html.includes(one)))
      failures.push(`${name}: ${file} is needed at once, and index.html does not name it (early-files.ts)`);
    return files;
  };
  const count = (what, files, limit) => {
    console.log(`${`${name}: ${what}`.padEnd(34)} ${String(files).padStart(7)} of ${limit}`);
    if (!(files <= limit)) failures.push(`${name}: ${what}`);
  };
  const firstFiles = named(first);
  for (const language of ['en', 'fr', 'zh']) named({ js: texts(language), css: [] });
  count('first page, files', firstFiles.length + texts('en').length, budget.firstFiles);
  for (const [path, { entry, texts: namespaces }] of Object.entries(earlyPagesOf({ name }))) {
    const key = Object.keys(manifest).find((one) => entry && one.endsWith(entry));
    if (!key) continue;
    const files = named(closure(key)).filter((file) => !firstFiles.includes(file));
    count(`${path}, added files`, files.length + namespaces.length, budget.pageFiles[path]);
  }
  for (const name of ['libraries', 'index']) {
    const file = [...first.js].find((one) => one.includes(`/${name}-`));
    const hinted = file && readFileSync(join(dist, file), 'utf8').startsWith('//# allFunctionsCalledOnLoad\n');
    if (!hinted) failures.push(`the file "${name}" does not begin with the hint to compile it (vite.shared.ts)`);
  }
  const have = new Set(first.js);
  const addedBy = (key) => [...closure(key).js].filter((file) => !have.has(file));
  const ahead = fetchedAhead.map((source) => {
    // a chunk of one source has its path, a chunk of several has only a name
    const key = Object.keys(manifest).find((one) => one.endsWith(source) || manifest[one].name === source);
    if (!key) throw new Error(`apps.json says that ${name} fetches ${source} ahead, but the build has no such chunk`);
    return key;
  });
  const fetched = new Set(ahead.flatMap(addedBy));
  report('fetched ahead, JS', sum(fetched), budget.aheadJs);
  for (const file of fetched) have.add(file);
  const isPage = (key) =>
    manifest[key].isDynamicEntry && /(^|\/)routes\/|-page\.tsx$/.test(key) && !ahead.includes(key);
  for (const key of Object.keys(manifest).filter(isPage)) {
    const route = key.replace(/^.*(routes|features)\//, '').replace(/\.tsx$/, '');
    report(`/${route}, added JS`, sum(addedBy(key)), budget.pageJs);
  }
  return failures;
}

const failures = apps.flatMap(check);
if (failures.length > 0) {
  console.error(`over budget: ${failures.join('; ')}`);
  process.exit(1);
}
