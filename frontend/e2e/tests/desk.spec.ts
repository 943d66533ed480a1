import { expect, type Page, test } from '@playwright/test';

import { signIn } from '../support/account.ts';
import { ops } from '../support/office.ts';
import { checkPage } from '../support/page-checks.ts';
import { signedIn } from '../support/signed-in.ts';
import { type Language, text } from '../support/texts.ts';

const customer = { email: 'customer@portage.test', password: 'portage-demo-2027' };

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function enter(page: Page, language: Language, path: string, person = ops): Promise<void> {
  await page.goto(`/dashboard${path}?lang=${language}`);
  await signIn(page, language, person);
}

for (const language of ['en', 'fr', 'zh'] as const) {
  test(`the frame of the back office in ${language}`, async ({ page }) => {
    await enter(page, language, '/profile');
    await expect(heading(page, text(language, 'person:title'))).toBeVisible();
    await checkPage(page, language);

    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: text(language, 'ops/desk:palette.label') });
    await expect(palette).toBeVisible();
    await checkPage(page, language);
    await palette.getByRole('combobox').fill('automations');
    await expect(palette.getByRole('option').first()).toContainText(text(language, 'ops/shell:area.automations'));
    await page.keyboard.press('Enter');
    const area = text(language, 'ops/shell:area.automations');
    await expect(heading(page, text(language, 'ops/shell:planned.title', { area }))).toBeVisible();
    await checkPage(page, language);

    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: text(language, 'ops/shell:nav.keys') });
    await expect(sheet).toBeVisible();
    await checkPage(page, language);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  });
}

for (const language of ['en', 'fr', 'zh'] as const) {
  test(`the list of bookings fits beside the menu in ${language}`, async ({ page }) => {
    await signedIn(page, language, ops);
    await page.goto('/dashboard/bookings');
    await page
      .getByRole('navigation', { name: text(language, 'ops/bookings:views.label') })
      .getByRole('link', { name: text(language, 'ops/bookings:views.all'), exact: true })
      .click();
    const table = page.getByRole('grid', { name: text(language, 'ops/shell:area.bookings') });
    await expect(table.locator('[data-row-link]').nth(2)).toBeVisible();
    const frame = table.locator('..');
    const state = table.getByRole('columnheader', { name: text(language, 'ops/shell:col.state') });
    // the menu stands beside the list from 900 px on; where the list has no room for columns, its rows are cards
    for (const width of [1440, 1280, 1200, 1100, 1000, 950, 900, 768, 720, 680, 650]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => frame.evaluate((box) => box.scrollWidth - box.clientWidth), `at ${width} px`).toBe(0);
      await expect
        .poll(
          () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          `the page at ${width} px`,
        )
        .toBeLessThanOrEqual(0);
      if (width >= 1000) await expect(state).toBeInViewport({ ratio: 1 });
    }
  });
}

test('pages without the menu open without signing in', async ({ page }) => {
  for (const [path, name] of [
    ['/signin', 'ops/shell:gate.signIn'],
    ['/signup', 'ops/shell:account.signUp'],
    ['/forgotpassword', 'ops/shell:account.password'],
    ['/resetpassword', 'ops/shell:account.password'],
    ['/404', 'page.notFound'],
    ['/500', 'page.serverError'],
  ] as const) {
    await page.goto(`/dashboard${path}?lang=en`);
    await expect(heading(page, text('en', name))).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await checkPage(page);
  }
});

test('a customer is refused in words, with a way back', async ({ page }) => {
  await enter(page, 'en', '/bookings', customer);
  await expect(heading(page, text('en', 'ops/shell:gate.refused'))).toBeVisible();
  await checkPage(page);
  await page.getByRole('link', { name: text('en', 'ops/shell:gate.ownPages') }).click();
  await expect(page).toHaveURL(/\/profile$/);
});
