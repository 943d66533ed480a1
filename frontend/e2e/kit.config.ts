import { defineConfig } from '@playwright/test';

import base from './playwright.config.ts';

const url = 'http://localhost:5176';
const sizes = { 320: 640, 390: 844, 1024: 768, 1440: 900 };

/**
 * `npm run kit:screens`: every component of the desk in every language, size and colour scheme as pictures to be looked
 * at; axe looks at the narrowest in light and the widest in dark.
 */
export default defineConfig({
  ...base,
  testDir: './kit',
  globalSetup: [],
  outputDir: '../test-results/kit',
  use: { ...base.use, baseURL: url, actionTimeout: 10_000, trace: 'off' },
  webServer: { command: 'npm run kit:serve', cwd: '..', url, reuseExistingServer: false, timeout: 120_000 },
  projects: (['light', 'dark'] as const).flatMap((colorScheme) =>
    Object.entries(sizes).map(([width, height]) => ({
      name: `${width}-${colorScheme}`,
      use: {
        viewport: { width: Number(width), height },
        colorScheme,
        // a narrow screen is a phone: thumbs, not a mouse
        hasTouch: Number(width) < 640,
        isMobile: Number(width) < 640,
      },
    })),
  ),
});
