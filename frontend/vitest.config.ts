import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const shared = {
  setupFiles: ['./test/setup.ts'],
  // jsdom lays nothing out: rules would only be compared with every element that is asked whether it is shown
  css: false,
  // A page under test waits a third of its time, for timers: with as many workers as cores, those would idle.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Typing is slow where two cores build something else beside it.
  testTimeout: 60_000,
};

const folders = ['apps/*/src', 'packages/*/src'];
const ofDom = folders.map((folder) => `${folder}/**/*.dom.test.ts`);
const ofPages = [...folders.map((folder) => `${folder}/**/*.test.tsx`), ...ofDom];
/** Files that replace a module, which stays replaced for the next one of their worker, or that say themselves `@alone`. */
const alone = ['apps', 'packages']
  .flatMap((kind) => readdirSync(join(import.meta.dirname, kind)).map((name) => join(kind, name, 'src')))
  .flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  )
  .filter((file) => /\.test\.tsx$|\.dom\.test\.ts$/.test(file))
  .filter((file) => /\bvi\.(mock|doMock)\(|@alone\b/.test(readFileSync(join(import.meta.dirname, file), 'utf8')));
const inPages = {
  ...shared,
  environment: 'jsdom',
  environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
  // A language that one file chose must not be the next one's: this library is read anew with our own modules.
  server: { deps: { inline: [/i18next/] } },
};

export default defineConfig({
  test: {
    projects: [
      {
        // The files of a worker share one browser and the libraries; our own modules are read anew for each file
        // (test/setup.ts). A worker of its own for each file costs a third of the time of all of them.
        plugins: [react()],
        test: { ...inPages, name: 'pages', isolate: false, include: ofPages, exclude: alone },
      },
      {
        plugins: [react()],
        test: { ...inPages, name: 'pages alone', include: alone },
      },
      {
        // What asks no browser for anything: making one for each file takes longer than the tests. They share their
        // modules too, so that none may replace one or leave a clock stopped.
        plugins: [react()],
        test: {
          ...shared,
          setupFiles: [],
          name: 'functions',
          environment: 'node',
          isolate: false,
          include: ['test/**/*.test.ts', ...folders.map((folder) => `${folder}/**/*.test.ts`)],
          exclude: ofDom,
        },
      },
    ],
  },
});
