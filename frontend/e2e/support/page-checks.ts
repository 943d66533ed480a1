import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

import type { Language } from './texts.ts';

const size = 'target-size';
export const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds, as `rule: element (why)`, one line each.
 *
 * Called without axe's own package for Playwright, which sends all of axe twice, unminified, into every frame for each
 * look: that took longer than looking. A document keeps the axe it was once given.
 */
export async function axeFindings(page: Page, rules: Pick<RunOptions, 'runOnly' | 'rules'>): Promise<string[]> {
  const options: RunOptions = {
    ...rules,
    // without frames, without a report of what is well, and without reading all styles for rules that we do not ask for
    iframes: false,
    resultTypes: ['violations'],
    preload: { assets: ['media'] },
  };
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async (asked) => {
    const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    const { violations } = await axe.run(asked);
    return violations.flatMap((one) =>
      one.nodes.map((node) => {
        const why = [...node.any, ...node.all, ...node.none].map((check) => check.message).join('; ');
        return `${one.id}: ${node.target.join(' ')} (${why})`;
      }),
    );
  }, options);
}

/** Findings of all rules, of all but contrast, or of target sizes alone. */
const findings = (page: Page, rules: 'all' | 'colourless' | 'size') =>
  axeFindings(page, {
    runOnly: rules === 'size' ? [size] : tags,
    ...(rules === 'colourless' ? { rules: { 'color-contrast': { enabled: false } } } : {}),
  });

/** Words that do not fit their button, and are cut. */
export function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, button *, a *')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
      .filter((one) => one.clientWidth > 1 && getComputedStyle(one).textOverflow !== 'ellipsis')
      .map((one) => one.textContent ?? ''),
  );
}

const isSize = (finding: string) => finding.startsWith(`${size}:`);
const element = (finding: string) => finding.slice(0, finding.indexOf(' ('));

/**
 * No axe finding by WCAG 2.0 to 2.2 A and AA, and nothing wider than the screen. The bar at the top and the widget at
 * the bottom cover what scrolls under them, and axe takes what is half covered for a target that is too small: such a
 * finding counts only when it is there at both ends of the page.
 *
 * Contrast takes two thirds of the time, and colours are the same in each language: a test that runs once in each names
 * its language, and contrast is looked at in English (in all of them with PORTAGE_E2E_ALL).
 */
export async function checkPage(page: Page, language: Language = 'en'): Promise<void> {
  // the page that came with the document gives way to the app's
  await expect(page.locator('.shell')).toHaveCount(0);
  // a page that is still fading in has colours of its own; what never ends, like the pulse of a skeleton, is not waited for
  await page.evaluate(async () => {
    // one that keeps what it ends with stays in the list
    const ending = () =>
      document
        .getAnimations()
        .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity);
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    // what has just come begins to fade in with the next frame
    for (let still = 0; still < 3; still = ending().length > 0 ? 0 : still + 1) {
      await Promise.all(ending().map((one) => one.finished.catch(() => {})));
      await frame();
    }
  });
  await page.evaluate(() => window.scrollTo(0, 0));
  let found = await findings(page, language === 'en' || process.env['PORTAGE_E2E_ALL'] ? 'all' : 'colourless');
  if (found.some(isSize)) {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const atEnd = new Set((await findings(page, 'size')).map(element));
    found = found.filter((one) => !isSize(one) || atEnd.has(element(one)));
  }
  expect(found).toEqual([]);
  expect(await cutWords(page), 'words cut in a button').toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, 'page is wider than the screen').toBeLessThanOrEqual(0);
}
