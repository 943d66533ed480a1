import { expect, test } from '@playwright/test';

import { newPerson } from '../support/account.ts';
import { fillCard, paymentReady } from '../support/checkout.ts';
import { draftAMove } from '../support/draft.ts';
import { serveGatewayScripts } from '../support/gateway-script.ts';
import { openMenu } from '../support/menu.ts';
import { photographer } from '../support/shoot.ts';
import { type Language, text } from '../support/texts.ts';
import { heading, locations } from '../support/wizard.ts';

// what a page looks like when something around it went wrong
for (const language of ['en', 'fr', 'zh'] satisfies Language[]) {
  test(`rough weather ${language}`, async ({ page, context }, info) => {
    const shoot = photographer(page, `rough-${language}-${info.project.name}`);
    const walk = { page, language };
    const say = (name: string, values = {}) => text(language, name, values);

    // signing in does not work
    await page.route('**/.well-known/openid-configuration', (route) => route.abort('connectionrefused'));
    await page.goto(`/?lang=${language}`);
    await (await openMenu(page, language)).getByRole('button', { name: say('action.signIn') }).click();
    await expect(page.getByRole('dialog', { name: say('session:trouble.signIn') })).toBeVisible();
    await shoot('sign-in-trouble', 'window');
    await page.unroute('**/.well-known/openid-configuration');

    // a crew as large as may be, and larger
    await page.route('**/api/rates/active', (route) => route.fulfill({ json: { max_online_heads: 2 } }));
    await page.goto(`/locations?lang=${language}`);
    await locations(walk);
    await heading(walk, 'move:title');
    await page.getByLabel(say('estimate:warning.helpCarry')).check();
    await expect(page.getByText(say('move:crew.tooLarge'))).toBeVisible();
    await shoot('crew-too-large');
    await page.unroute('**/api/rates/active');

    // a file of this version is gone
    await page.route(/\/assets\/schedule-[\w-]+\.js(?:\?|$)/, (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByLabel(say('estimate:warning.helpCarry')).uncheck();
    await page.evaluate(() => sessionStorage.removeItem('portage.reloaded'));
    await page
      .getByRole('group', { name: say('furniture:presets.title') })
      .getByRole('button')
      .first()
      .click();
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await page.getByRole('button', { name: say('move:next') }).click();
    await expect(page.getByText(say('frame:page.partMissing'))).toBeVisible();
    await shoot('part-missing');
    await page.unrouteAll();

    // the gateway's form does not load
    const scripts = await serveGatewayScripts(page);
    scripts.blocked = true;
    await draftAMove(walk, { person: newPerson() });
    await expect(page.getByText(say('payments:card.unavailable'))).toBeVisible();
    await shoot('card-unavailable');
    scripts.blocked = false;
    await page.getByRole('button', { name: say('action.retry') }).click();
    await expect(page.locator('main iframe')).toHaveCount(4);
    await shoot('card-loaded');
    await page.unrouteAll();
    await page.goto(`/payment?lang=${language}`);
    await paymentReady(walk);

    // too many cards; an address that contradicts itself
    await fillCard(walk);
    await page.route('**/api/payment', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '840' }, json: { code: 'too_many_cards', detail: '…' } }),
    );
    await page.getByTestId('pay').click();
    await expect(page.getByRole('alert')).toContainText(say('payments:card.tooMany'));
    await shoot('card-too-many');
    await page.unroute('**/api/payment');
    await page.route('**/api/bookings', (route) =>
      route.fulfill({
        status: 422,
        json: {
          code: 'validation_failed',
          detail: '…',
          errors: [{ field: 'bookingRequest.dropoff.postalCode', code: 'contradicts', message: 'H7M 1Z1 ≠ M5V 2T6' }],
        },
      }),
    );
    await page.getByTestId('pay').click();
    await expect(page.getByRole('link', { name: say('estimate:correct.dropoff') })).toBeVisible();
    await shoot('address-refused');
    await page.getByRole('link', { name: say('estimate:correct.dropoff') }).click();
    await heading(walk, 'locations:title');
    await shoot('address-at-its-field');
    await page.unroute('**/api/bookings');

    // still worked on
    await page.goto('/payment');
    await paymentReady(walk);
    await page.route('**/api/bookings', (route) => route.fulfill({ status: 409, json: { code: 'request_in_flight' } }));
    await page.getByTestId('pay').click();
    await expect(page.getByText(say('payment:progress.working'))).toBeVisible();
    await shoot('still-working');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect(page.getByRole('button', { name: say('checkout:unanswered.check') })).toBeVisible();
    await page.unroute('**/api/bookings');
    await page.getByRole('button', { name: say('checkout:unanswered.check') }).click();
    await expect(page.getByTestId('short-id')).toBeVisible();

    // a change nobody has answered
    const id = new URL(page.url()).searchParams.get('booking') ?? '';
    await page.goto(`/quote?edit=${id}`);
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await page.route(`**/api/c/bookings/${id}`, (route) => route.abort('connectionreset'));
    await page.getByRole('button', { name: say('edit:review') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('action.save') })
      .click();
    await expect(page.getByText(say('edit:looking'))).toBeVisible();
    await shoot('change-looked-up', 'window');
    await expect(page.getByText(say('edit:unread'))).toBeVisible({ timeout: 90_000 });
    await shoot('change-unknown', 'window');
    await page.unrouteAll();

    // the session is over
    await page.goto('/profile/settings');
    await expect(page.getByRole('button', { name: say('action.signOut') })).toBeVisible();
    await context.clearCookies();
    await context.route('**/identity/token', (route) =>
      route.fulfill({ status: 400, json: { error: 'invalid_grant' } }),
    );
    await context.route('**/api/bookings/previous*', (route) => route.fulfill({ status: 401, json: {} }));
    await page.getByRole('link', { name: say('shell:page.bookings'), exact: true }).click();
    await expect(page.getByText(say('session:ended.title'))).toBeVisible();
    await shoot('session-ended');
  });
}
