import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// @ts-expect-error -- the library has no types of its own
import { JSDOM as Page } from 'jsdom';
import { describe, expect, it } from 'vitest';

import { loadTrouble } from '../load-trouble.ts';

const { transformIndexHtml } = loadTrouble() as unknown as { transformIndexHtml: (html: string) => string };

/** The page that an app's build begins with, its inline scripts run; no other script is there. */
function pageOf(
  app: string,
  address: string,
  kept?: string,
  typeface?: string,
  draft?: string | null,
): { window: Window & typeof globalThis } {
  const html = transformIndexHtml(readFileSync(join(import.meta.dirname, `../apps/${app}/index.html`), 'utf8'));
  return new Page(html, {
    url: `http://localhost:8080${address}`,
    runScripts: 'dangerously',
    beforeParse(window: Window & typeof globalThis) {
      window.matchMedia = () => ({ matches: false }) as MediaQueryList;
      if (kept) window.localStorage.setItem('portage.lang', kept);
      if (draft) window.localStorage.setItem(draft, '{}');
      if (typeface) window.localStorage.setItem('portage.typeface', typeface);
    },
  }) as { window: Window & typeof globalThis };
}

describe.each(['book', 'ops'])('index.html of %s', (app) => {
  it.each([
    ['/?lang=fr', undefined, 'fr-CA'],
    ['/?lang=ZH', 'fr', 'zh-Hans'],
    ['/', 'zh', 'zh-Hans'],
    ['/?lang=constructor', undefined, 'en-CA'],
    ['/?lang=__proto__', undefined, 'en-CA'],
    ['/?lang=toString', 'fr', 'fr-CA'],
    ['/', 'constructor', 'en-CA'],
    ['/', '__proto__', 'en-CA'],
  ] as const)('%s with %s kept is in %s', (address, kept, language) => {
    expect(pageOf(app, address, kept).window.document.documentElement.lang).toBe(language);
  });

  it.skipIf(app === 'ops')('uses the typeface from the first paint where this browser has had it', () => {
    const { document } = pageOf(app, '/').window;
    expect(document.documentElement.hasAttribute('data-typeface')).toBe(false);
    const again = pageOf(app, '/', 'fr', '1').window.document;
    expect(again.documentElement.hasAttribute('data-typeface')).toBe(true);
  });

  it.skipIf(app === 'ops').each([
    ['/locations', null, true, false],
    ['/quote', null, true, true],
    ['/schedule?lang=fr', null, true, true],
    ['/quote', 'portage.draft.2', false, false],
    // what the version before kept
    ['/quote', 'portage.draft', false, false],
    // a booking is changed, and an address that brings answers along may lead further
    ['/quote?edit=0192', null, false, false],
    ['/move-type?pickupFullAddress=1', null, false, false],
    ['/signin', null, false, false],
    ['/', null, false, false],
  ] as const)('%s with %s kept begins as the first step: %s, which says why: %s', (address, draft, first, why) => {
    const { document } = pageOf(app, address, undefined, undefined, draft).window;
    expect(document.documentElement.hasAttribute('data-locations')).toBe(first);
    expect(document.documentElement.hasAttribute('data-incomplete')).toBe(why);
    expect(document.documentElement.hasAttribute('data-elsewhere')).toBe(address !== '/');
  });

  it.each([
    ['en', 'A part of this page could not be fetched.', 'Load the page again'],
    ['fr', 'Une partie de cette page n’a pas pu être chargée.', 'Recharger la page'],
    ['zh', '此页面有一部分无法加载。', '重新加载页面'],
  ])(
    'says in %s that its script did not come, once, with a way to load the page again',
    async (language, text, again) => {
      const { window } = pageOf(app, `/?lang=${language}`);
      await new Promise((resolve) => window.addEventListener('load', resolve));
      const { document } = window;
      const alerts = () => [...document.querySelectorAll('#root [role="alert"]')];
      document.querySelector('link[rel="icon"]')?.dispatchEvent(new window.Event('error'));
      expect(alerts()).toHaveLength(0);
      document.querySelector('script[type="module"]')?.dispatchEvent(new window.Event('error'));
      window.dispatchEvent(new window.Event('portage:lost'));
      expect(alerts()).toHaveLength(1);
      expect(alerts()[0]?.querySelector('p')?.textContent).toContain(text);
      expect(alerts()[0]?.querySelector('button')?.textContent).toBe(again);
    },
  );

  it('says nothing into the app once that has come', async () => {
    const { window } = pageOf(app, '/');
    await new Promise((resolve) => window.addEventListener('load', resolve));
    window.document.querySelector('.shell-bar')?.remove();
    window.dispatchEvent(new window.Event('portage:lost'));
    expect(window.document.querySelector('[role="alert"]')).toBeNull();
  });
});

it('gives the first pages the width that the app has', () => {
  const text = (file: string) => readFileSync(join(import.meta.dirname, '../apps/book', file), 'utf8');
  const width = (css: string, rule: string) => css.match(new RegExp(`\\${rule} \\{[^}]*?max-width: (\\d+px)`))?.[1];
  const index = text('index.html');
  const wizard = width(text('src/booking/wizard/wizard-layout.module.css'), '.wizard');
  expect(wizard).toBe('976px');
  expect([width(index, '.shell-start'), width(index, '.shell-locations')]).toEqual([wizard, wizard]);
});
