import { defineConfig } from '@playwright/test';

import base from './playwright.config.ts';

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };

/** `npm run screens`: every page in every language, size and colour scheme, as pictures to be looked at. */
export default defineConfig({
  ...base,
  testDir: './screens-of',
  outputDir: '../test-results/screens',
  timeout: 180_000,
  projects: (['light', 'dark'] as const).flatMap((colorScheme) =>
    Object.entries(sizes).map(([size, viewport]) => ({
      name: `${size}-${colorScheme}`,
      use: { viewport, colorScheme, actionTimeout: 20_000 },
    })),
  ),
});
