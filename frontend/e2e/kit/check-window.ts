import { expect, type Page } from '@playwright/test';

import { axeFindings, cutWords, tags } from '../support/page-checks.ts';

/** No axe finding while something stands open over the page. What it half covers is no target then, so sizes are left to the closed page. */
export async function checkWindow(page: Page): Promise<void> {
  expect(await axeFindings(page, { runOnly: tags, rules: { 'target-size': { enabled: false } } })).toEqual([]);
  expect(await cutWords(page), 'words cut in a button').toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, 'page is wider than the screen').toBeLessThanOrEqual(0);
}
