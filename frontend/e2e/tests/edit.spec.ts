import { expect, test } from '@playwright/test';

import { newPerson } from '../support/account.ts';
import { pay } from '../support/checkout.ts';
import { draftAMove } from '../support/draft.ts';
import { checkPage } from '../support/page-checks.ts';
import { heading } from '../support/wizard.ts';

test('a booking is changed in the wizard: price first, then saved', { tag: '@desktop' }, async ({ page }) => {
  test.setTimeout(180_000);
  const walk = { page, language: 'en' as const };
  await draftAMove(walk, { person: newPerson() });
  const number = await pay(walk);
  await page.goto('/profile/bookings');
  await page.getByRole('main').getByRole('listitem').first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(number) })).toBeVisible();
  const id = new URL(page.url()).pathname.split('/').pop() ?? '';

  await page.goto(`/quote?edit=${id}`);
  await expect(page.getByText('You are editing a booking.')).toBeVisible();
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  // every step is open while editing
  const steps = page.getByRole('navigation', { name: 'Booking steps' });
  await expect(steps.getByRole('link', { name: /Locations|Move type|Schedule|Quote/ })).toHaveCount(4);
  await checkPage(page);

  await page.getByRole('link', { name: 'Change: Move and crew' }).click();
  await page.locator('label:has(input[name="mateCount"])').nth(2).click();
  await steps.getByRole('link', { name: 'Quote' }).click();
  await heading(walk, 'quote:title');
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await page.getByRole('button', { name: 'Review the change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this change?' });
  const after = dialog.getByText('Total after', { exact: true }).locator('xpath=following-sibling::dd[1]');
  await expect(after).toHaveText(/\d/);
  const total = (await after.textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(new RegExp(`/profile/bookings/${id}$`));
  await expect(page.getByRole('main')).toContainText(total);
});

test('leaving the editor changes nothing', { tag: '@desktop' }, async ({ page }) => {
  test.setTimeout(180_000);
  const walk = { page, language: 'en' as const };
  await draftAMove(walk, { person: newPerson() });
  await pay(walk);
  await page.goto('/profile/bookings');
  await page.getByRole('main').getByRole('listitem').first().getByRole('link').click();
  await expect(page).toHaveURL(/\/profile\/bookings\/.+/);
  const id = new URL(page.url()).pathname.split('/').pop() ?? '';
  await page.goto(`/move-type?edit=${id}`);
  // what is answered before the booking has come would be overwritten by it
  await expect(page.getByText('You are editing a booking.')).toBeVisible();
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await page.locator('label:has(input[name="mateCount"])').nth(2).click();
  await page.getByRole('link', { name: 'Close' }).click();
  await expect(page).toHaveURL(new RegExp(`/profile/bookings/${id}$`));
  await expect(page.getByRole('main')).toContainText('2 mates');
});
