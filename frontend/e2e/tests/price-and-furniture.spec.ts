import { expect, test } from '@playwright/test';

import { checkPage } from '../support/page-checks.ts';
import { type Language, text } from '../support/texts.ts';
import { closePieces, heading, locations, openPieces, start } from '../support/wizard.ts';

/** A word people say, the piece it means, and what an amount looks like. */
const words: Record<Language, { said: string; id: string; money: RegExp }> = {
  en: { said: 'sofas', id: 'couch-3-seats', money: /\$[\d,]+\.\d\d/ },
  fr: { said: 'frigo', id: 'fridge-standard', money: /[\d\s\u00A0\u202F]+,\d\d\s\$/ },
  zh: { said: '沙发', id: 'couch-3-seats', money: /\$[\d,]+\.\d\d/ },
};

/** The digits of an amount, so that two ways of writing it can be compared. */
const digits = (amount: string | null | undefined) => (amount ?? '').replaceAll(/\D/g, '');

for (const language of ['en', 'fr', 'zh'] satisfies Language[]) {
  test(`furniture, crews and days are compared by price (${language})`, async ({ page }) => {
    const walk = { page, language };
    const say = (name: string) => text(language, name);
    const { said, id, money } = words[language];
    const header = page.getByTestId('estimate');
    await start(walk);
    await locations(walk);
    await heading(walk, 'move:title');

    // a word finds the piece as it looks, and the whole card adds it
    await openPieces(walk);
    await page.getByLabel(say('furniture:items.search'), { exact: true }).fill(said);
    const card = page.locator(`li[data-id="${id}"]`);
    await expect(card.locator('svg path').first()).toBeVisible();
    await card.click({ position: { x: 30, y: 40 } });
    await expect(card).toHaveAttribute('data-chosen', 'true');
    await checkPage(page, language);
    await closePieces(walk);

    // the home is proposed, what was chosen stays
    const homes = page.getByRole('group', { name: say('furniture:presets.title') }).getByRole('button');
    await homes.nth(1).click();
    await page
      .getByRole('button', { name: new RegExp(say('furniture:rooms.add_other').split('{count}')[0] ?? '') })
      .click();
    await expect(homes.nth(1)).toHaveAttribute('aria-pressed', 'true');
    await expect(header).toHaveAttribute('data-phase', 'fresh');

    // each crew has its price; the chosen one's is the price of the move
    const crews = page.locator('label:has(input[name="mateCount"])');
    await expect(crews.nth(1)).toHaveText(money);
    await expect(page.getByText(say('move:crew.fastest')).first()).toBeVisible();
    await crews.nth(2).click();
    await expect(crews.nth(2)).toHaveAttribute('data-checked', 'true');
    await expect(header).toHaveAttribute('data-phase', 'fresh');
    // the crews are compared in an answer of their own, and show the one before meanwhile
    await expect(async () => {
      const three = digits(money.exec((await crews.nth(2).textContent()) ?? '')?.[0]);
      expect(three.length).toBeGreaterThan(4);
      expect(digits(await header.textContent())).toContain(three);
    }).toPass();
    await checkPage(page, language);
    await page.getByRole('button', { name: say('move:next') }).click();

    // each day has its price; once chosen it is the price of the move, and stays it when the hour is chosen
    await heading(walk, 'schedule:title');
    await page.getByRole('button', { name: say('common:month.next') }).click();
    const dear = page.locator('td button[data-state="open"][data-standing="dear"]').nth(1);
    // six weeks of prices
    await expect(dear).toBeVisible({ timeout: 40_000 });
    await expect(page.locator('td button[data-standing="cheapest"]')).toHaveCount(1);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await checkPage(page, language);
    const price = digits(money.exec((await dear.getAttribute('aria-label')) ?? '')?.[0]);
    expect(price.length).toBeGreaterThan(4);
    await dear.click();
    await expect.poll(async () => digits(await header.textContent())).toContain(price);
    const slot = page.locator('label:has(input[name="slot"])').nth(1);
    await slot.click();
    await expect(page.locator('input[name="slot"]:checked')).toBeFocused();
    await expect(page.getByRole('button', { name: say('schedule:next') })).toBeEnabled();
    await expect.poll(async () => digits(await header.textContent())).toContain(price);
    await page.getByRole('button', { name: say('schedule:next') }).click();

    // the lines stand once, and each says how it comes about
    await heading(walk, 'quote:title');
    await expect(page.getByText(say('domain:lineCode.labour'))).toHaveCount(1);
    const line = page.getByRole('button', { name: new RegExp(say('domain:lineCode.labour')) });
    await line.click();
    await expect(line).toHaveAttribute('aria-expanded', 'true');
    const sentence = page.locator(`[id="${(await line.getAttribute('aria-controls')) ?? ''}"]`);
    await expect(sentence).toContainText('×');
    await expect(sentence).toHaveText(money);
    await checkPage(page, language);
  });
}

test('the calendar, the crews and the furniture fit a very narrow screen', { tag: '@phone' }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const walk = { page, language: 'fr' as const };
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await start(walk);
  await locations(walk);
  await heading(walk, 'move:title');
  await openPieces(walk);
  await expect(page.locator('li[data-id="couch-3-seats"] svg path').first()).toBeVisible();
  await expect.poll(fits).toBe(true);
  const list = page.getByRole('dialog', { name: text('fr', 'furniture:items.list') });
  await expect.poll(() => list.evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth)).toBe(0);
  const rows = list.locator('[data-sheet]');
  await expect.poll(() => rows.evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth)).toBe(0);
  await closePieces(walk);
  await page
    .getByRole('group', { name: text('fr', 'furniture:presets.title') })
    .getByRole('button')
    .nth(1)
    .click();
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await expect.poll(fits).toBe(true);
  await page.getByRole('button', { name: text('fr', 'move:next') }).click();
  await page.getByRole('button', { name: text('fr', 'common:month.next') }).click();
  await expect(page.locator('td button[data-standing="cheapest"]')).toHaveCount(1, { timeout: 40_000 });
  await expect.poll(fits).toBe(true);
  // no price is wider than its day
  const wide = () =>
    page
      .locator('td button')
      .evaluateAll(
        (days) => days.filter((day) => [...day.children].some((part) => part.scrollWidth > day.clientWidth + 2)).length,
      );
  await expect.poll(wide).toBe(0);
});
