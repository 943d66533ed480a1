import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

import { cutWords } from '../support/page-checks.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** No axe finding while something stands open over the page. What it half covers is no target then, so sizes are left to the closed page. */
export async function checkWindow(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).disableRules(['target-size']).analyze();
  expect(violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}`))).toEqual([]);
  expect(await cutWords(page), 'words cut in a button').toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, 'page is wider than the screen').toBeLessThanOrEqual(0);
}
