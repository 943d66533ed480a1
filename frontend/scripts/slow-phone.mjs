// How soon people on a slow phone can use the pages where visits begin: `npm run slow-phone -- http://localhost:8080`,
// with the built app behind that address. CPU four times slower than this machine, 1.6 Mbit/s, 150 ms, nothing cached.
// Prints the median of five and fails when it is over what this house promises: usable within 2.5 s, no second without
// anything on screen, and nothing that moves under somebody's thumb (a layout shift of at most 0.02 until all is quiet; of
// this the worst of five). Figures of a busy machine are too high: its load is printed beside them.
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';

import { chromium } from '@playwright/test';

const site = process.argv[2] ?? 'http://localhost:8080';
const runs = Number(process.argv[3] ?? 5);
const usableWithin = 2500;
const longestBlank = 1000;
const mostShift = 0.02;
/** What comes late comes within this time after the page can be used, milliseconds. */
const quiet = 3000;

/** Usable: what has to be pressed first is drawn by the app, so that pressing it works. */
const pages = { '/': '#content a[href^="/locations"]', '/locations': '#content input[role="combobox"]' };

const browserPath =
  process.env.CHROMIUM_PATH ??
  ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });

/** Runs in the page: writes down when it was drawn, when it was usable, and how long nothing was on screen. */
function watch(wanted) {
  const seen = { shown: null, usable: null, blank: 0, shift: 0 };
  window.slowPhone = seen;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) seen.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  let blankSince = 0;
  const look = () => {
    const now = performance.now();
    const text = document.body?.innerText.trim() ?? '';
    if (text) {
      seen.shown ??= now;
      blankSince = null;
    } else {
      blankSince ??= now;
      seen.blank = Math.max(seen.blank, now - blankSince);
    }
    if (blankSince === null && seen.usable === null && document.querySelector(wanted)) seen.usable = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function once(path, wanted) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    locale: 'en-CA',
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1_000_000) / 8,
    uploadThroughput: (0.75 * 1_000_000) / 8,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(watch, wanted);
  await page.goto(`${site}${path}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.slowPhone?.usable !== null, null, { timeout: 60_000 });
  await page.waitForTimeout(quiet);
  const result = await page.evaluate(() => ({
    ...window.slowPhone,
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
  }));
  await context.close();
  // before the first paint nothing is on screen either
  return { ...result, blank: Math.max(result.blank, result.painted ?? result.shown) };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
let failed = false;
for (const [path, wanted] of Object.entries(pages)) {
  const all = [];
  for (let run = 0; run < runs; run += 1) all.push(await once(path, wanted));
  const of = (key) => median(all.map((one) => one[key]));
  const tooLate = of('usable') > usableWithin || of('blank') > longestBlank;
  const shift = Math.max(...all.map((one) => one.shift));
  failed ||= tooLate || shift > mostShift;
  console.log(
    `${path.padEnd(12)} first paint ${seconds(of('painted'))}, longest blank ${seconds(of('blank'))}, usable ${seconds(of('usable'))} (${all.map((one) => seconds(one.usable)).join(', ')}), layout shift ${shift.toFixed(3)}${shift > mostShift ? ' (too much)' : ''}, load ${loadavg()[0].toFixed(1)}${tooLate ? ', too late' : ''}`,
  );
}
await browser.close();
if (failed) process.exit(1);
