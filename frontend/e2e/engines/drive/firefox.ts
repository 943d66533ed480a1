import { existsSync } from 'node:fs';

import puppeteer from 'puppeteer-core';

import { type Plain, surroundings, type Tab, type Thing, windowSize } from './tab.ts';

function firefoxPath(): string {
  const places = ['firefox-esr', 'firefox'].map((name) => `/usr/bin/${name}`);
  const found = process.env['FIREFOX_PATH'] ?? places.find((path) => existsSync(path));
  if (!found) throw new Error(`no browser in ${places.join(', ')}: install firefox-esr or set FIREFOX_PATH`);
  return found;
}

/** A call as text, for the page to read. */
function inPage(script: (...args: never[]) => unknown, args: Plain[]): string {
  return `(${script.toString()})(...${JSON.stringify(args)})`;
}

/** Firefox, driven by WebDriver BiDi. */
export async function firefox(): Promise<Tab> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath(),
    headless: true,
    env: surroundings,
    defaultViewport: windowSize,
    // nothing but the page under test is asked for
    extraPrefsFirefox: {
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
    },
  });
  const page = await browser.newPage();
  return {
    open: async (url) => {
      await page.goto(url);
    },
    find: async (script, ...args) => {
      const handle = await page.evaluateHandle(inPage(script, args));
      const element = handle.asElement();
      if (!element) {
        await handle.dispose();
        return null;
      }
      await element.evaluate((one) => (one as Element).scrollIntoView({ block: 'center', behavior: 'instant' }));
      const thing = element as typeof element & Thing;
      return {
        click: () => thing.click(),
        type: (text) => thing.type(text),
        ask: async (script) =>
          (await element.evaluate(script as (one: unknown) => unknown)) as ReturnType<typeof script>,
      };
    },
    ask: async (script, ...args) => (await page.evaluate(inPage(script, args))) as ReturnType<typeof script>,
    picture: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}
