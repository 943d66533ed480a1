import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

const root = process.env['PORTAGE_SCREENS'] ?? join(import.meta.dirname, '../../test-results/pages');

/** Takes numbered pictures of whole pages into one folder; `window` takes what the screen shows, as with a dialog. */
export function photographer(page: Page, set: string): (name: string, part?: 'page' | 'window') => Promise<void> {
  const folder = join(root, set);
  mkdirSync(folder, { recursive: true });
  let number = 0;
  return async (name, part = 'page') => {
    number += 1;
    await page.evaluate(async (top) => {
      await document.fonts.ready;
      // a long picture shows the bar where it belongs
      if (top) window.scrollTo(0, 0);
      // what never ends, like the pulse of a skeleton, is not waited for
      const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
      await Promise.all(ending.map((one) => one.finished.catch(() => {})));
    }, part === 'page');
    const path = join(folder, `${String(number).padStart(2, '0')}-${name}.png`);
    await page.screenshot({ path, fullPage: part === 'page' });
  };
}
