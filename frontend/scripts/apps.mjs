// The list of web apps, for everything that has to do something for each of them.
//   name          folder in apps/, built into its own dist/
//   base          where the server mounts it
//   port          of its development server
//   firstTexts    namespaces of the texts that the first page shows
//   fetchedAhead  chunks that main.tsx fetches while the browser is idle: end of their path, or their name
//   budget        most kB (gzip, 1 kB = 1000 bytes) of the first page, of what is fetched ahead, of what a page adds;
//                 most files (scripts, styles, texts) of the first page, and most that a page of early-pages.json adds
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const frontend = join(dirname(fileURLToPath(import.meta.url)), '..');
export const apps = JSON.parse(readFileSync(join(frontend, 'apps.json'), 'utf8'));
export const folderOf = (app) => join(frontend, 'apps', app.name);
export const distOf = (app) => join(folderOf(app), 'dist');

/** The pages whose files are asked for beside the first script (early-files.ts). */
export function earlyPagesOf(app) {
  const list = join(folderOf(app), 'src/early-pages.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
}

/** Runs a command of a package in frontend/ and ends this process when it fails. */
export function run(command, args) {
  const { status, error } = spawnSync(join(frontend, 'node_modules/.bin', command), args, {
    cwd: frontend,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
