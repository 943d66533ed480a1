import { expect, test } from '@playwright/test';

import { checkPage } from '../support/page-checks.ts';
import { type Language, text } from '../support/texts.ts';
import { draftAMove } from '../support/draft.ts';
import {
  appArrived,
  chooseAddress,
  closePieces,
  guidelines,
  heading,
  locations,
  moveType,
  openPieces,
  quote,
  quoteAMove,
  schedule,
  start,
} from '../support/wizard.ts';

for (const language of ['en', 'fr', 'zh'] satisfies Language[]) {
  test(`a guest quotes a move in ${language}`, async ({ page }) => {
    const walk = { page, language, check: true };
    await quoteAMove(walk);
    await expect(page).toHaveURL(/\/payment/);
    await expect(page.locator('html')).toHaveAttribute('lang', { en: 'en-CA', fr: 'fr-CA', zh: 'zh-Hans' }[language]);
  });
}

test('every page fits 320 pixels in French', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const walk = { page, language: 'fr' as const, check: true };
  await quoteAMove(walk);
});

test('a reload in the middle loses nothing', async ({ page }) => {
  const walk = { page, language: 'en' as const };
  await start(walk);
  await locations(walk);
  await moveType(walk);
  await heading(walk, 'schedule:title');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await heading(walk, 'schedule:title');
  await page.goto('/move-type');
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
});

test('leaving by reload asks first', async ({ page }) => {
  const walk = { page, language: 'en' as const };
  await start(walk);
  await chooseAddress(walk, 'pickup');
  const asked = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.type());
      void dialog.dismiss();
    });
  });
  page.reload().catch(() => {}); // staying aborts the navigation
  expect(await asked).toBe('beforeunload');
});

test('two tabs go on from the same draft', async ({ page, context }) => {
  const walk = { page, language: 'en' as const };
  await start(walk);
  await locations(walk);
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByText('1200').first()).toBeVisible();
  await moveType(walk);
  await expect(other.getByText(/\d+ items, 2 mates/).first()).toBeVisible();
});

test('the whole way by keyboard alone', { tag: '@desktop' }, async ({ page }) => {
  const press = async (name: RegExp | string, role: 'button' | 'link' | 'radio' | 'checkbox') => {
    const target = page.getByRole(role, { name }).first();
    for (let tabs = 0; tabs < 120; tabs += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(target).toBeFocused();
    await page.keyboard.press(role === 'link' || role === 'button' ? 'Enter' : 'Space');
  };
  await page.goto('/?lang=en');
  await appArrived(page);
  await press('Next', 'link');
  // the start page has the same two fields
  await heading({ page, language: 'en' }, 'locations:title');
  await appArrived(page);
  for (const [label, typed] of [
    ['Pickup address', '1200 rue Peel, Montréal'],
    ['Dropoff address', '300 boulevard Saint-Martin Ouest, Laval'],
  ] as const) {
    const field = page.getByRole('combobox', { name: label });
    for (let tabs = 0; tabs < 60 && !(await field.evaluate((element) => element === document.activeElement)); tabs += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.type(typed);
    await expect(page.getByRole('option').first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(field).toBeHidden();
  }
  await press('Continue to move type', 'button');
  await page.getByRole('heading', { level: 1, name: 'What kind of move is it?' }).waitFor();
  await press('Studio', 'button');
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await press('Continue to schedule', 'button');
  await page.getByRole('heading', { level: 1, name: 'When do you want to move?' }).waitFor();
  await press('Next month', 'button');
  await page.locator('td button[data-state="open"]').first().waitFor();
  // into the grid, then by arrows to a day that is open
  for (let tabs = 0; tabs < 40; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.closest('td') !== null)) break;
  }
  for (let days = 0; days < 20; days += 1) {
    if (await page.evaluate(() => document.activeElement?.getAttribute('data-state') === 'open')) break;
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Enter');
  await expect(page.locator('#slots-title')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByText(/This start is kept for you for \d+ more minutes/)).toBeVisible();
  await press('Continue to quote', 'button');
  await page.getByRole('heading', { level: 1, name: 'Check your move' }).waitFor();
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await press('Continue to guidelines', 'button');
  await press('I have read and agree to these guidelines', 'checkbox');
  await press('Continue to payment', 'button');
  await expect(page).toHaveURL(/\/payment/);
});

test('a draft of the version before is still there', async ({ page }) => {
  await draftAMove({ page, language: 'en' }, { at: '/locations', version: 1 });
  await expect(page.getByText('1200 Rue Peel').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Dropoff' })).toContainText(/300 boulevard saint-martin/i);
  await page.getByRole('button', { name: 'Continue to move type' }).click();
  await expect(page).toHaveURL(/\/move-type/);
});

test('a link can prefill the booking, once', async ({ page }) => {
  await page.goto(
    '/locations?lang=en&pickupFullAddress=1200+rue+Peel,+Montréal&pickupApt=4B&pickupFloor=3&pickupParking=0&pickupAccessibility=difficult&discount=NOTACODE',
  );
  await expect(page.getByText('1200 Rue Peel').first()).toBeVisible();
  await expect(page.getByLabel('Apartment or unit')).toHaveValue('4B');
  await expect(page.getByTestId('pickup-access').getByRole('listitem')).toHaveText([
    'Floor 3',
    'No elevator',
    'No truck parking',
    'Difficult',
  ]);
  await page.getByRole('button', { name: 'Change: Getting in and out' }).click();
  await expect(page.getByRole('textbox', { name: 'Floor', exact: true })).toHaveValue('3');
  await expect(page.getByRole('checkbox', { name: 'There is parking for the truck' })).not.toBeChecked();
  await expect(page.getByRole('radio', { name: /Difficult/ })).toBeChecked();
  await expect(page).toHaveURL((url) => !url.search.includes('pickup'));
});

test('addresses outside every area are refused where they are typed', async ({ page }) => {
  const walk = { page, language: 'en' as const };
  await start(walk);
  await chooseAddress(walk, 'pickup', '75 rue Saint-Jean, Québec');
  await expect(
    page.getByText('Other areas can still book if the pickup or dropoff is in Montreal.', { exact: false }),
  ).toBeVisible();
  await chooseAddress(walk, 'dropoff', '900 rue King Ouest, Sherbrooke');
  await expect(page.getByText('We currently do not operate in this area, sorry!').first()).toBeVisible();
  await checkPage(page);
});

test('one mate cannot carry a heavy piece alone', async ({ page }) => {
  const walk = { page, language: 'en' as const };
  await start(walk);
  await locations(walk);
  await heading(walk, 'move:title');
  await openPieces(walk);
  await page.getByRole('searchbox').fill('couch, 3');
  await page.getByRole('button', { name: 'One more: Couch, 3 seats' }).click();
  await closePieces(walk);
  await page.getByRole('radio', { name: /^1 mate/ }).check({ force: true });
  await expect(page.getByText(text('en', 'estimate:warning.heavySingleMate')).first()).toBeVisible();
  await page.getByRole('button', { name: 'Continue to schedule' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await checkPage(page);
});

test(
  'a start that somebody else took first keeps the rest and offers others',
  { tag: '@desktop' },
  async ({ page, browser }) => {
    const walk = { page, language: 'en' as const };
    await start(walk);
    await locations(walk);
    await moveType(walk);
    await heading(walk, 'schedule:title');
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.locator('td button[data-state="open"]').first().click();
    await page.route('**/api/holds', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({ type: 'about:blank', title: 'Conflict', status: 409, code: 'slot_gone', detail: '' }),
      }),
    );
    await page.locator('label:has(input[name="slot"])').first().click();
    await expect(page.getByText(text('en', 'schedule:schedule.slotGone')).first()).toBeVisible();
    await page.unroute('**/api/holds');
    await page
      .getByRole('button', { name: /\d{1,2}:\d\d [ap]\.m\./ })
      .first()
      .click();
    await expect(page.getByText(/This start is kept for you for \d+ more minutes/)).toBeVisible();
    await page.getByRole('button', { name: 'Continue to quote' }).click();
    await quote(walk);
    await guidelines(walk);
    expect(browser.isConnected()).toBe(true);
  },
);

test('the last price stays readable while a new one is worked out', async ({ page }) => {
  const walk = { page, language: 'en' as const };
  await start(walk);
  await locations(walk);
  await heading(walk, 'move:title');
  const estimate = page.getByTestId('estimate');
  await page.getByRole('button', { name: 'Studio' }).click();
  await expect(estimate).toHaveAttribute('data-phase', 'fresh');
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('**/api/booking/estimate', (route) => held.then(() => route.continue()));
  await page
    .getByRole('group', { name: text('en', 'furniture:presets.title') })
    .getByRole('button')
    .last()
    .click();
  await expect(estimate).toHaveAttribute('data-phase', 'updating');
  await checkPage(page);
  await expect(estimate).toHaveAttribute('data-phase', 'updating');
  answer();
  await expect(estimate).toHaveAttribute('data-phase', 'fresh');
});

test('a failing price is never shown as zero and can be tried again', async ({ page }) => {
  const walk = { page, language: 'en' as const };
  await start(walk);
  await locations(walk);
  await heading(walk, 'move:title');
  await page.route('**/api/booking/estimate', (route) => route.fulfill({ status: 503, body: '' }));
  await page.getByRole('button', { name: 'Studio' }).click();
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'failed');
  await expect(page.locator('body')).not.toContainText('$0.00');
  await page.unroute('**/api/booking/estimate');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await page.getByRole('button', { name: 'Continue to schedule' }).click();
  await schedule(walk);
});
