import { existsSync } from 'node:fs';

import { defineConfig, devices } from '@playwright/test';

/** The server under test: one that PORTAGE_URL names, else `global-setup.ts` starts its own. */
const url = process.env['PORTAGE_URL'] ?? 'http://localhost:8080';

/** The system's browser: `CHROMIUM_PATH`, or wherever distributions put it. */
function chromium(): string {
  const places = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
    (name) => `/usr/bin/${name}`,
  );
  const found = process.env['CHROMIUM_PATH'] ?? places.find((path) => existsSync(path));
  if (!found) throw new Error(`no browser in ${places.join(', ')}: install Chromium or set CHROMIUM_PATH`);
  return found;
}

const all = Boolean(process.env['PORTAGE_E2E_ALL']);

/** Files that run on one screen: what depends on the server alone needs no second one. */
const serverAlone = ['payment-trouble.spec.ts', 'full-at-once.spec.ts', 'rough-weather.spec.ts', 'points-*.spec.ts'];

/**
 * What runs on both screens and once in each language runs in English on both, in French (the longest words) on the
 * telephone and in Chinese on the desk: all of them with PORTAGE_E2E_ALL. What needs one screen runs there in all three.
 */
const oneScreen = ['@desktop', '@phone', ...serverAlone.map((file) => file.replace(/\*?\.spec\.ts$/, ''))].join('|');
const elsewhere = (language: string) => (all ? [] : [new RegExp(`^(?!.*(?:${oneScreen})).*\\b${language}\\b`)]);

/** A telephone whose screen has a point for each pixel of the page: its own has seven, and each of them is drawn. */
const phone = {
  ...devices['Pixel 7'],
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 1,
  colorScheme: 'light',
} as const;

export default defineConfig({
  testDir: './tests',
  globalSetup: './support/global-setup.ts',
  outputDir: '../test-results',
  timeout: 180_000,
  // waiting ends when the thing is there: patience costs nothing, and a busy machine takes its time for six weeks of prices
  // or a booking with its documents
  expect: { timeout: 20_000 },
  fullyParallel: true,
  workers: 3,
  // A machine that is busy with something else makes a step miss its time. Who passes only the second time stands in the
  // closing lines as flaky, and is to be looked at.
  retries: 1,
  reporter: [['list']],
  use: {
    baseURL: url,
    locale: 'en-CA',
    timezoneId: 'America/Toronto',
    // every step of a failed test, when asked for: it costs a tenth of the time of all of them
    trace: process.env['PORTAGE_E2E_TRACE'] ? { mode: 'retain-on-failure', screenshots: false } : 'off',
    screenshot: 'only-on-failure',
    // what moves is waited for at every step
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      // the system's browser: none is downloaded
      executablePath: chromium(),
      // V8's optimising compilers are off: a page of a test is open for seconds, too short for them to pay off
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--js-flags=--no-opt --no-maglev'],
    },
  },
  projects: [
    {
      name: 'phone',
      grepInvert: [/@desktop/, ...elsewhere('zh')],
      testIgnore: serverAlone,
      use: phone,
    },
    {
      // of the points, those that are about phones; all of them with PORTAGE_E2E_ALL
      name: 'phone points',
      testMatch: 'points-*.spec.ts',
      ...(all ? { grepInvert: /@desktop/ } : { grep: /@phone/ }),
      use: phone,
    },
    {
      name: 'desktop',
      grepInvert: [/@phone/, ...elsewhere('fr')],
      use: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
    },
  ],
});
