import base from './playwright.config.ts';

/** `npm run e2e:bench`: how long pages take to be drawn, printed beside what they must stay below. Nothing is gated by it. */
export default {
  ...base,
  testDir: './bench',
  outputDir: '../test-results/bench',
  workers: 1,
  reporter: [['dot']],
  projects: [{ name: 'desktop', use: { viewport: { width: 1440, height: 900 } } }],
};
