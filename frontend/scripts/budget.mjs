// Reads Vite's manifest and fails when a page costs more than its budget (gzip, kB = 1000 bytes).
// First route: everything index.html loads before anything is pressed, texts of one language included.
// A later step: what its route adds to that.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const budget = { firstJs: 230, firstCss: 18, stepJs: 20 };
const dist = join(dirname(fileURLToPath(import.meta.url)), '../apps/book/dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const kb = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000;

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

const sum = (files) => [...files].reduce((total, file) => total + kb(file), 0);
const locales = Object.keys(manifest).filter((key) => key.includes('/locales/'));
const texts = (namespaces) =>
  Math.max(
    ...['en', 'fr', 'zh'].map((language) =>
      sum(
        locales
          .filter((key) => namespaces.some((name) => key.endsWith(`/${language}/${name}.json`)))
          .map((key) => manifest[key].file),
      ),
    ),
  );

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
if (!entry) throw new Error('no entry in the manifest; run the build first');
const first = closure(entry);
const firstJs = sum(first.js) + texts(['common', 'domain', 'start']);
const firstCss = sum(first.css);
const failures = [];
const report = (name, size, limit) => {
  console.log(`${name.padEnd(28)} ${size.toFixed(1).padStart(7)} kB of ${limit}`);
  if (size > limit) failures.push(name);
};
report('first route, JS', firstJs, budget.firstJs);
report('first route, CSS', firstCss, budget.firstCss);

for (const key of Object.keys(manifest).filter(
  (name) => manifest[name].isDynamicEntry && /(^|\/)routes\//.test(name),
)) {
  const { js } = closure(key);
  const added = [...js].filter((file) => !first.js.has(file));
  const route = key.replace(/^.*routes\//, '').replace(/\.tsx$/, '');
  report(`/${route}, added JS`, sum(added), budget.stepJs);
}

if (failures.length > 0) {
  console.error(`over budget: ${failures.join('; ')}`);
  process.exit(1);
}
