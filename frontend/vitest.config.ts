import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
    setupFiles: ['./test/setup.ts'],
    include: ['test/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'packages/*/src/**/*.test.{ts,tsx}'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    // One worker fewer than there are cores would leave half of a small machine idle.
    maxWorkers: '100%',
    // Typing is slow where two cores build something else beside it.
    testTimeout: 60_000,
  },
});
