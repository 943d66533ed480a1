import { expect, type Page } from '@playwright/test';

import { checkPage } from './page-checks.ts';
import { type Language, text } from './texts.ts';

const addresses = { pickup: '1200 rue Peel, Montréal', dropoff: '300 boulevard Saint-Martin Ouest, Laval' };

export interface Walk {
  page: Page;
  language: Language;
  /** Looks at every page with axe on the way. */
  check?: boolean;
}

const look = async ({ page, language, check }: Walk) => {
  if (check) await checkPage(page, language);
};

export async function heading({ page, language }: Walk, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: text(language, name) })).toBeVisible();
}

/** The app stands in the place of the page that came with the document, which has the same title and fields. */
export async function appArrived(page: Page): Promise<void> {
  await expect(page.locator('.shell')).toHaveCount(0);
}

/** Opens the app in a language and steps onto the locations. */
export async function start(walk: Walk): Promise<void> {
  const { page, language } = walk;
  await page.goto(`/?lang=${language}`);
  await heading(walk, 'start:title');
  await look(walk);
  await page.getByRole('link', { name: text(language, 'start:next'), exact: true }).click();
  // the start page has the same two fields: what is typed into those a moment before they go finds no address
  await heading(walk, 'locations:title');
}

export async function chooseAddress(
  { page, language }: Walk,
  end: 'pickup' | 'dropoff',
  typed = addresses[end],
): Promise<void> {
  const field = page.getByRole('combobox', { name: text(language, `wizard:way.${end}`) });
  await appArrived(page);
  await field.fill(typed);
  await expect(page.getByRole('option').first()).toBeVisible();
  await field.press('Enter');
  await expect(field).toBeHidden();
}

export async function locations(walk: Walk): Promise<void> {
  await heading(walk, 'locations:title');
  await chooseAddress(walk, 'pickup');
  await chooseAddress(walk, 'dropoff');
  await look(walk);
  await walk.page.getByRole('button', { name: text(walk.language, 'locations:next') }).click();
}

export async function moveType(walk: Walk): Promise<void> {
  const { page, language } = walk;
  await heading(walk, 'move:title');
  await page
    .getByRole('group', { name: text(language, 'furniture:presets.title') })
    .getByRole('button')
    .first()
    .click();
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await look(walk);
  await page.getByRole('button', { name: text(language, 'move:next') }).click();
}

/** The list of pieces: on the page, or on a phone over it, where it is opened first. */
export async function openPieces({ page, language }: Pick<Walk, 'page' | 'language'>): Promise<void> {
  const search = page.getByLabel(text(language, 'furniture:items.search'), { exact: true });
  const open = page.locator('button[aria-haspopup="dialog"]').filter({
    hasText: new RegExp(
      // Chinese has one form
      (language === 'zh'
        ? ['items.browse', 'items.change_other']
        : ['items.browse', 'items.change_one', 'items.change_other']
      )
        .map((name) => text(language, `furniture:${name}`).replaceAll(/\{\w+\}/g, '\\d+'))
        .join('|'),
    ),
  });
  // one of them, once the catalogue has come
  await expect(search.or(open).first()).toBeVisible();
  if (await open.isVisible()) await open.click();
  await expect(search).toBeVisible();
}

/** Back to the page from a list that lies over it. */
export async function closePieces({ page, language }: Pick<Walk, 'page' | 'language'>): Promise<void> {
  const close = page.getByRole('button', { name: text(language, 'furniture:items.closeList'), exact: true });
  if (await close.isVisible()) await close.click();
  await expect(close).toBeHidden();
}

/** Chooses the first open day of next month, or its last, and that day's first start that nobody else takes first. */
export async function schedule(walk: Walk, which: 'first' | 'last' = 'first'): Promise<void> {
  const { page, language } = walk;
  await heading(walk, 'schedule:title');
  await page.getByRole('button', { name: text(language, 'common:month.next') }).click();
  const open = page.locator('td button[data-state="open"]');
  await open[which]().click();
  await page.locator('label:has(input[name="slot"])').first().click();
  const held = page.getByRole('status').filter({
    hasText:
      text(language, 'hold:left_other')
        .split('{count}')
        .find((part) => part.length > 5) ?? '',
  });
  // other tests book at the same time: a start lost to one of them is replaced by the nearest, as a person would
  const lost = page.getByRole('status').filter({ hasText: text(language, 'schedule:schedule.slotGone') });
  for (let tries = 0; tries < 5; tries += 1) {
    await expect(held.or(lost).first()).toBeVisible();
    if (await held.isVisible()) break;
    const offered = lost.getByRole('button');
    await expect(offered.first()).toBeVisible();
    const answer = page.waitForResponse(
      (one) => one.url().endsWith('/api/holds') && one.request().method() === 'POST',
      { timeout: 30_000 },
    );
    await offered.nth(tries % (await offered.count())).click();
    // what was lost stays in words until the answer is there
    if ((await answer).ok()) break;
  }
  await expect(held).toBeVisible();
  await look(walk);
  await page.getByRole('button', { name: text(language, 'schedule:next') }).click();
}

export async function quote(walk: Walk): Promise<void> {
  const { page, language } = walk;
  await heading(walk, 'quote:title');
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await expect(page.locator('body')).not.toContainText('14.975');
  await look(walk);
  await page.getByRole('button', { name: text(language, 'quote:next') }).click();
}

export async function guidelines(walk: Walk): Promise<void> {
  const { page, language } = walk;
  await heading(walk, 'guidelines:title');
  // the rules, each with the date it has for this booking
  const rules = page.getByRole('region', { name: text(language, 'guidelines:rules'), exact: true });
  await expect(rules.getByRole('listitem').first()).toBeVisible();
  await look(walk);
  await page.getByRole('checkbox', { name: text(language, 'guidelines:agree.label') }).check();
  await page.getByRole('button', { name: text(language, 'guidelines:next') }).click();
}

/** From nothing to the payment page's door. */
export async function quoteAMove(walk: Walk): Promise<void> {
  await start(walk);
  await locations(walk);
  await moveType(walk);
  await schedule(walk);
  await quote(walk);
  await guidelines(walk);
}
