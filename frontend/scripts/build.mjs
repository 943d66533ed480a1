// Builds every app, or only those named: build.mjs [book] [ops]
import { apps, folderOf, run } from './apps.mjs';
import { precompress } from './precompress.mjs';

const named = process.argv.slice(2);
const unknown = named.filter((name) => !apps.some((app) => app.name === name));
if (unknown.length > 0) throw new Error(`no such app in apps.json: ${unknown.join(', ')}`);
for (const app of apps.filter(({ name }) => named.length === 0 || named.includes(name))) {
  run('vite', ['build', folderOf(app)]);
  precompress(app);
}
