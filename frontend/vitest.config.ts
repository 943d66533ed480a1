import { availableParallelism } from 'node:os';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
    setupFiles: ['./test/setup.ts'],
    include: ['test/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'packages/*/src/**/*.test.{ts,tsx}'],
    // jsdom lays nothing out: rules would only be compared with every element that is asked whether it is shown
    css: false,
    // A page under test waits a third of its time, for timers: with as many workers as cores, those would idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Typing is slow where two cores build something else beside it.
    testTimeout: 60_000,
  },
});
