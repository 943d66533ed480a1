import { expect, test } from '@playwright/test';

import { fillSignUp, newPerson } from '../support/account.ts';
import { fillCard, paymentReady } from '../support/checkout.ts';
import { photographer } from '../support/shoot.ts';
import { type Language, text } from '../support/texts.ts';
import { chooseAddress, guidelines, heading, moveType, quote, schedule } from '../support/wizard.ts';

for (const language of ['en', 'fr', 'zh'] satisfies Language[]) {
  test(language, async ({ page }, info) => {
    const shoot = photographer(page, `${language}-${info.project.name}`);
    const walk = { page, language };
    const title = (name: string, values = {}) =>
      expect(page.getByRole('heading', { level: 1, name: text(language, name, values), exact: true })).toBeVisible();
    const open = async (path: string, name: string, values = {}) => {
      await page.goto(path);
      await title(name, values);
    };

    await page.goto(`/?lang=${language}`);
    await title('start:title');
    await shoot('start');
    await chooseAddress(walk, 'pickup');
    await chooseAddress(walk, 'dropoff');
    await expect(page.getByTestId('from-price')).toBeVisible();
    await shoot('start-priced');
    await page.getByRole('link', { name: text(language, 'start:next'), exact: true }).click();
    await title('locations:title');
    await shoot('locations');
    await page
      .getByRole('main')
      .getByRole('button', { name: text(language, 'locations:next') })
      .click();
    await heading(walk, 'move:title');
    await shoot('move-type-empty');
    await moveType(walk);
    await heading(walk, 'schedule:title');
    await shoot('schedule-empty');
    await schedule(walk);
    await heading(walk, 'quote:title');
    await shoot('quote');
    await quote(walk);
    await heading(walk, 'guidelines:title');
    await shoot('guidelines');
    await guidelines(walk);
    await title('shell:loginNeeded');
    await shoot('login-needed');
    await page
      .getByRole('main')
      .getByRole('button', { name: text(language, 'action.signIn') })
      .click();
    await title('identity:signIn.title');
    await shoot('signin');
    await page
      .getByRole('main')
      .getByRole('link', { name: text(language, 'identity:signUp.action') })
      .click();
    await title('identity:signUp.title');
    await page.getByRole('button', { name: text(language, 'identity:signUp.action') }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await shoot('signup-refused');
    await fillSignUp(page, language, newPerson());
    await shoot('signup');
    await page.getByRole('button', { name: text(language, 'identity:signUp.action') }).click();
    await paymentReady(walk);
    await shoot('payment');
    await page.getByTestId('pay').click();
    await expect(page.getByRole('alert')).toBeVisible();
    await shoot('payment-refused');
    await fillCard(walk);
    await shoot('payment-filled');
    await page.getByTestId('pay').click();
    await title('confirmation:title');
    const id = (await page.getByTestId('short-id').textContent()) ?? '';
    await shoot('confirmation');
    await page.getByRole('link', { name: text(language, 'confirmation:done') }).click();
    await expect(page).toHaveURL(/thank-you/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await shoot('thank-you');
    await page.goBack();
    await title('confirmation:title');
    await page.goBack();
    await title('payment:already.title');
    await shoot('payment-already');
    // in Chinese one is greeted by the whole name
    await open('/profile', 'profile:hello', { name: language === 'zh' ? 'Ana Roy' : 'Ana' });
    await shoot('profile');
    await open('/profile/bookings', 'shell:page.bookings');
    await expect(page.getByText(id)).toBeVisible();
    await shoot('bookings');
    await page.getByRole('main').getByRole('listitem').first().getByRole('link').click();
    await title('bookings:titleOne', { id });
    await shoot('booking');
    await page.getByRole('button', { name: text(language, 'bookings:cancel.open') }).click();
    await expect(page.getByRole('dialog').getByRole('definition').first()).toBeVisible();
    await shoot('cancel');
    await page.getByRole('button', { name: text(language, 'bookings:cancel.confirm') }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await shoot('booking-cancelled');
    await open('/profile/settings', 'shell:page.settings');
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await shoot('settings');
    await open('/user-info', 'shell:page.userInfo');
    await expect(page.getByRole('button', { name: text(language, 'action.save') })).toBeVisible();
    await shoot('user-info');
    await open('/forgotpassword', 'identity:forgot.title');
    await shoot('forgotpassword');
    await open('/resetpassword?token=x', 'identity:reset.title');
    await shoot('resetpassword');
    await open('/no-such-page', 'page.notFound');
    await shoot('404');
    await open('/500', 'page.serverError');
    await shoot('500');
  });
}
