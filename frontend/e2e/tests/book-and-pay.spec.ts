import { expect, test } from '@playwright/test';

import { mailsTo, newPerson, signUpFrom } from '../support/account.ts';
import { pay, paymentReady } from '../support/checkout.ts';
import { draftAMove } from '../support/draft.ts';
import { checkPage } from '../support/page-checks.ts';
import { type Language, text } from '../support/texts.ts';
import { quoteAMove } from '../support/wizard.ts';

for (const language of ['en', 'fr', 'zh'] satisfies Language[]) {
  test(`booked, paid, mailed and found again in ${language}`, async ({ page }) => {
    const walk = { page, language };
    const person = newPerson();
    await quoteAMove(walk);
    await signUpFrom({ ...walk, check: true }, person);
    const number = await pay({ ...walk, check: true });

    // a reload of the confirmation shows it again
    await page.reload();
    await expect(page.getByTestId('short-id')).toHaveText(number);

    // the mail, in the person's language
    await expect(async () => {
      const mails = await mailsTo(page, person.email);
      expect(JSON.stringify(mails)).toContain(number);
    }).toPass({ timeout: 30_000 });

    // under my bookings, and by its own page
    await page.goto('/profile/bookings');
    await expect(
      page.getByRole('heading', { level: 1, name: text(language, 'shell:page.bookings'), exact: true }),
    ).toBeVisible();
    await expect(page.getByText(number)).toBeVisible();
    await checkPage(page, language);
    await page.getByRole('main').getByRole('listitem').first().getByRole('link').click();
    await expect(
      page.getByRole('heading', { level: 1, name: text(language, 'bookings:titleOne', { id: number }), exact: true }),
    ).toBeVisible();
    await expect(page.getByText(text(language, 'domain:bookingStatus.pending')).first()).toBeVisible();
    await checkPage(page, language);
  });
}

test('back after paying shows that it is confirmed already', { tag: '@desktop' }, async ({ page }) => {
  const walk = { page, language: 'en' as const };
  await draftAMove(walk, { person: newPerson() });
  await pay(walk);
  await page.goBack();
  await expect(
    page.getByRole('heading', { level: 1, name: text('en', 'payment:already.title'), exact: true }),
  ).toBeVisible();
  await expect(page.getByTestId('pay')).toHaveCount(0);
  await checkPage(page);
});

test('signing in in the middle brings back to payment with the move intact', { tag: '@desktop' }, async ({ page }) => {
  const walk = { page, language: 'en' as const };
  await draftAMove(walk);
  await signUpFrom(walk, newPerson());
  await paymentReady(walk);
  await expect(page.getByTestId('total')).toHaveText(/\d/);
  const total = await page.getByTestId('total').textContent();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await paymentReady(walk);
  await expect(page.getByTestId('total')).toHaveText(total ?? '');
});

test('from the sign-in question to the booking at 320 pixels in French', { tag: '@phone' }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const walk = { page, language: 'fr' as const };
  await draftAMove(walk);
  await signUpFrom({ ...walk, check: true }, newPerson());
  const id = await pay({ ...walk, check: true });
  await page.getByRole('link', { name: text('fr', 'confirmation:change.see') }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: text('fr', 'bookings:titleOne', { id }), exact: true }),
  ).toBeVisible();
  await checkPage(page);
});
