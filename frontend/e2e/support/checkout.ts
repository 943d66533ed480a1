import { expect } from '@playwright/test';

import { checkPage } from './page-checks.ts';
import { text } from './texts.ts';
import type { Walk } from './wizard.ts';

export const goodCard = '4111 1111 1111 1111';
/** Refused when it is stored: the simulator follows the gateway's published test numbers. */
export const refusedCard = '4000 1111 1111 1115';

export async function fillCard({ page, language }: Walk, number = goodCard): Promise<void> {
  const field = (name: string) => page.getByLabel(text(language, name), { exact: true });
  await field('payments:card.number').fill(number);
  await field('payments:card.expiry').pressSequentially('1230');
  await field('payments:card.cvc').fill('123');
  await field('payments:card.name').fill('Ana Roy');
}

/** The payment page is there and may be used. */
export async function paymentReady(walk: Walk): Promise<void> {
  const { page, language, check } = walk;
  await expect(
    page.getByRole('heading', { level: 1, name: text(language, 'payment:title'), exact: true }),
  ).toBeVisible();
  await expect(page.getByTestId('pay')).toBeEnabled();
  await expect(page.locator('body')).not.toContainText('14.975');
  if (check) await checkPage(page, language);
}

/** Fills in the card, presses the button twice as impatient people do, and answers the booking number. */
export async function pay(walk: Walk): Promise<string> {
  const { page, language, check } = walk;
  await paymentReady(walk);
  await fillCard(walk);
  await page.getByTestId('pay').dblclick();
  await expect(
    page.getByRole('heading', { level: 1, name: text(language, 'confirmation:title'), exact: true }),
  ).toBeVisible();
  const code = page.getByTestId('short-id');
  await expect(code).toHaveText(/^[A-HJ-NP-Z2-9-]{5,}$/);
  const number = (await code.textContent()) ?? '';
  if (check) await checkPage(page, language);
  return number;
}
