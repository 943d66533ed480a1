import { expect, test } from '@playwright/test';

import { newPerson } from '../support/account.ts';
import { pay } from '../support/checkout.ts';
import { draftAMove, draftKey } from '../support/draft.ts';
import { openMenu } from '../support/menu.ts';
import { photographer } from '../support/shoot.ts';
import { type Language, text } from '../support/texts.ts';
import { chooseAddress, closePieces, heading, locations, openPieces } from '../support/wizard.ts';

const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15';

// what a page looks like on the way, when something is open, and when something is wrong
for (const language of ['en', 'fr', 'zh'] satisfies Language[]) {
  test(`wizard ${language}`, async ({ page }, info) => {
    const shoot = photographer(page, `states-wizard-${language}-${info.project.name}`);
    const walk = { page, language };
    const say = (name: string, values = {}) => text(language, name, values);
    const button = (name: string) => page.getByRole('button', { name: say(name), exact: true });
    const invalid = () => expect(page.getByRole('alert').first()).toBeVisible();

    await page.goto(`/?lang=${language}`);
    const menu = await openMenu(page, language);
    const choice = menu.getByRole('button', {
      name: say('frame:language.label', { language: text(language, `lang.${language}`) }),
    });
    if (await choice.isVisible()) await choice.click();
    await shoot('language-menu', 'window');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: say('start:next'), exact: true }).click();
    await heading(walk, 'locations:title');
    await button('locations:next').click();
    await invalid();
    await shoot('locations-refused');
    const pickup = page.getByRole('combobox', { name: say('wizard:way.pickup') });
    await pickup.fill('100 main street');
    await expect(page.getByRole('option').first()).toBeVisible();
    await shoot('address-list', 'window');
    await pickup.fill('zzzzzzzz qqqqqqqqq');
    await expect(page.getByText(say('address:search.none'))).toBeVisible();
    await shoot('address-none', 'window');
    await page
      .getByRole('button', { name: say('address:manual.open') })
      .first()
      .click();
    await button('address:manual.use').click();
    await shoot('address-by-hand');
    await button('address:manual.close').click();
    await chooseAddress(walk, 'pickup', '1200 chemin de la Côte-Saint-Antoine-de-Padoue, Winnipeg');
    await chooseAddress(walk, 'dropoff', '10 Main Street, Halifax');
    await shoot('locations-not-served');
    await page.evaluate((key) => localStorage.removeItem(key), draftKey);
    await page.goto(`/locations?lang=${language}`);
    await locations(walk);
    await heading(walk, 'move:title');
    await button('move:next').click();
    await invalid();
    await shoot('move-refused');
    await page
      .getByRole('group', { name: say('furniture:presets.title') })
      .getByRole('button')
      .first()
      .click();
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    const search = page.getByLabel(say('furniture:items.search'), { exact: true });
    await openPieces(walk);
    await search.fill('a');
    await shoot('furniture-found', 'window');
    await search.fill('xylophone zzz');
    await expect(page.getByText(say('furniture:items.none').replace('{query}', 'xylophone zzz'))).toBeVisible();
    await shoot('furniture-none', 'window');
    // a list with something of one's own in it is only proposed to
    await search.fill('piano');
    await page.locator('li[data-id="piano-upright"]').getByRole('button').last().click();
    await search.fill('');
    await closePieces(walk);
    await page
      .getByRole('group', { name: say('furniture:presets.title') })
      .getByRole('button')
      .nth(1)
      .click();
    await expect(page.getByRole('button', { name: say('furniture:rooms.replace') })).toBeVisible();
    await shoot('rooms-proposal', 'window');
    await page.getByRole('button', { name: say('furniture:rooms.replace') }).click();
    await page.getByTestId('estimate').click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await shoot('breakdown', 'window');
    await page.keyboard.press('Escape');
    await shoot('move-filled');
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/api/availability*', async (route) => {
      await held;
      await route.continue();
    });
    await button('move:next').click();
    await heading(walk, 'schedule:title');
    await shoot('schedule-loading');
    release();
    await button('common:month.next').click();
    await page.locator('td button[data-state="open"]').first().click();
    await expect(page.locator('input[name="slot"]').first()).toBeAttached();
    await shoot('slots');
    await button('schedule:next').click();
    await invalid();
    await shoot('schedule-refused');
    await page.locator('label:has(input[name="slot"])').first().click();
    await expect(page.locator('input[name="slot"]:checked')).toBeAttached();
    await shoot('slot-held');
    await button('schedule:next').click();
    await heading(walk, 'quote:title');
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    const code = page.getByLabel(say('edit:field.discount'), { exact: true });
    await code.fill('NO-SUCH-CODE');
    await button('common:action.apply').click();
    await expect(page.getByText(say('quote:discount.invalid'))).toBeVisible();
    await page.locator('#field-survey').selectOption({ index: 3 });
    await page.locator('#field-tipValue').fill('abc');
    await button('quote:next').click();
    await invalid();
    await shoot('quote-refused');
    await code.fill('WELCOME10');
    await button('common:action.apply').click();
    await page.locator('#field-tipValue').fill('20');
    await page.locator('#field-surveySpecify').fill('Portage');
    await page.waitForTimeout(1500);
    await shoot('quote-discount');
    // another code that is known, so that the question comes
    await code.fill('PARTNER25');
    await button('common:action.apply').click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await shoot('discount-dialog', 'window');
    await button('action.cancel').click();
    await button('quote:next').click();
    await heading(walk, 'guidelines:title');
    await button('guidelines:next').click();
    await invalid();
    await shoot('guidelines-refused');
  });

  test(`around ${language}`, async ({ page, browser, baseURL }, info) => {
    const shoot = photographer(page, `states-around-${language}-${info.project.name}`);
    const walk = { page, language };
    const say = (name: string, values = {}) => text(language, name, values);
    const button = (name: string) => page.getByRole('button', { name: say(name), exact: true });
    page.on('dialog', (dialog) => void dialog.accept());

    await draftAMove(walk, { person: newPerson() });
    await expect(page.getByTestId('pay')).toBeEnabled();
    await (await openMenu(page, language)).getByRole('link').first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await shoot('leave-dialog', 'window');
    await button('wizard:leave.go').click();
    await page.goto('/profile/bookings');
    await expect(page.getByText(say('bookings:booking.none'))).toBeVisible();
    await shoot('bookings-none');
    await page.goto('/profile');
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await shoot('profile-no-booking');
    let id = '';
    for (let n = 0; n < 2; n += 1) {
      await draftAMove(walk);
      if (n === 0) id = await pay(walk);
      else {
        await page.getByTestId('pay').click();
        await expect(page.getByTestId('short-id')).toBeVisible();
      }
    }
    await page.goto('/profile/bookings');
    await expect(page.getByText(id)).toBeVisible();
    await shoot('bookings-several');
    await page.getByRole('main').getByRole('listitem').first().getByRole('link').click();
    await page.getByRole('link', { name: say('bookings:change'), exact: true }).click();
    await heading(walk, 'quote:title');
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await shoot('edit-quote', 'window');
    await button('edit:review').click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await shoot('edit-unchanged', 'window');
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: new RegExp(say('edit:field.comments')) }).fill('Portage');
    await button('edit:review').click();
    await expect(page.getByRole('dialog').getByRole('definition').first()).toBeVisible();
    await shoot('edit-dialog', 'window');
    await button('action.cancel').click();
    await page.goto('/profile/settings');
    await button('payments:card.another').click();
    await shoot('settings-card', 'page');
    await page.route('**/api/bookings/previous*', (route) => route.abort('connectionreset'));
    await page.goto('/profile/bookings');
    await expect(page.getByRole('alert')).toBeVisible({ timeout: 30_000 });
    await shoot('bookings-failed');

    const other = await browser.newContext({
      ...info.project.use,
      userAgent: safari,
      ...(baseURL ? { baseURL } : {}),
    });
    const visitor = await other.newPage();
    await visitor.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        const style = document.createElement('style');
        style.textContent = '.adsbox { display: none }';
        const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
        style.nonce = nonce?.nonce || nonce?.content || '';
        document.head.append(style);
      });
    });
    const shootVisitor = photographer(visitor, `states-visitor-${language}-${info.project.name}`);
    await visitor.goto(`/?lang=${language}`);
    await expect(visitor.getByText(say('shell:notice.adBlock'))).toBeVisible();
    await shootVisitor('notices');
    await other.close();
  });
}
