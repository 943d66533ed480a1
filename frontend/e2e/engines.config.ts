import base from './playwright.config.ts';

/**
 * `npm run e2e:engines`: the whole way in Firefox and WebKit. Playwright only runs the tests here: the browsers are the
 * system's, which it cannot drive.
 */
export default {
  ...base,
  testDir: './engines',
  outputDir: '../test-results/engines',
  timeout: 120_000,
  // WebKit's driver on a virtual screen leaves a call without an answer now and then: a way that is broken fails twice
  retries: 1,
  projects: [{ name: 'firefox' }, { name: 'webkit' }],
};
