import { availableParallelism } from 'node:os';

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

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [react()],
        test: {
          ...shared,
          name: 'pages',
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
          include: [...folders.map((folder) => `${folder}/**/*.test.tsx`), ...ofDom],
        },
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
