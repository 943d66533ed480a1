import { expect, type Locator, test } from '@playwright/test';

import { newPerson } from '../support/account.ts';
import { fillCard, goodCard, paymentReady, refusedCard } from '../support/checkout.ts';
import { draftAMove } from '../support/draft.ts';
import { checkPage } from '../support/page-checks.ts';
import { allLanguages, text } from '../support/texts.ts';
import { chooseAddress, heading, locations, moveType, schedule, start } from '../support/wizard.ts';

// what somebody sees who has never been here: what is said, where, and in which colours
test.use({ actionTimeout: 30_000 });

for (const language of allLanguages) {
  const say = (name: string, values: Record<string, string | number> = {}) => text(language, name, values);

  test(`two doors in one street are less than a kilometre apart (${language})`, async ({ page }) => {
    const walk = { page, language };
    await page.goto(`/?lang=${language}`);
    await chooseAddress(walk, 'pickup', '1200 rue Peel, Montréal');
    await chooseAddress(walk, 'dropoff', '1250 rue Peel, Montréal');
    const near = { en: 'less than 1\u00A0km', fr: 'moins de 1\u00A0km', zh: '不到 1 公里' }[language];
    await expect(page.getByText(say('wizard:way.drive').split('{distance}')[0] + near)).toBeVisible();
    await expect(page.locator('main')).not.toContainText(/(?<!\d)0\s?(?:km|公里)/);
  });

  test(`the title counts the steps that the stepper shows (${language})`, async ({ page }) => {
    const walk = { page, language };
    await start(walk);
    const steps = page.getByRole('navigation', { name: say('wizard:stepper.label') }).getByRole('listitem');
    const titled = async (n: number, name: string) => {
      await heading(walk, name);
      await expect(steps).not.toHaveCount(0);
      await expect(page).toHaveTitle(
        say('kit:title.suffix', {
          title: say('kit:title.step', { n, of: await steps.count(), title: say(name) }),
          name: 'Portage',
        }),
      );
      await expect(steps.nth(n - 1).locator('[aria-current]')).toBeVisible();
    };
    await titled(1, 'locations:title');
    await locations(walk);
    await titled(2, 'move:title');
    await moveType(walk);
    await titled(3, 'schedule:title');
    await schedule(walk);
    await titled(4, 'quote:title');
  });

  test(`a refused card is told at the card, and what to do (${language})`, async ({ page }) => {
    const walk = { page, language };
    await draftAMove(walk, { person: newPerson() });
    await paymentReady(walk);
    await fillCard(walk, refusedCard);
    await page.getByTestId('pay').click();
    const card = page.getByRole('region', { name: say('payments:card.title'), exact: true });
    const alert = card.getByRole('alert');
    await expect(alert).toContainText(say('payments:payment.declined'));
    await expect(alert).toContainText(say('payment:kept.notCharged'));
    await expect(alert).toBeInViewport();
    await expect(page.locator(':focus')).toContainText(say('payments:payment.declined'));
    await page.keyboard.press('Tab');
    await expect(page.getByLabel(say('payments:card.number'), { exact: true })).toBeFocused();
    await checkPage(page, language);
  });

  test(`a change is told answer by answer before it is saved, and said to be saved (${language})`, async ({ page }) => {
    const walk = { page, language };
    await draftAMove(walk, { person: newPerson() });
    await paymentReady(walk);
    await fillCard(walk, goodCard);
    await page.getByTestId('pay').click();
    await expect(page.getByTestId('short-id')).toBeVisible();
    const id = new URL(page.url()).searchParams.get('booking') ?? '';
    await page.goto(`/quote?edit=${id}`);
    await heading(walk, 'quote:title');
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await page.getByRole('textbox', { name: say('edit:field.comments') }).fill('3');
    await page.getByRole('link', { name: say('wizard:changeWhat', { what: say('quote:answer.kind') }) }).click();
    await heading(walk, 'move:title');
    await page.locator('label:has(input[name="mateCount"])').nth(2).click();
    await page.getByRole('button', { name: say('wizard:backToQuote') }).click();
    await heading(walk, 'quote:title');
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await page.getByRole('button', { name: say('edit:review') }).click();
    const dialog = page.getByRole('dialog', { name: say('edit:title') });
    const row = (name: string) =>
      dialog.locator('dl > div').filter({ has: page.locator('dt').getByText(say(name), { exact: true }) });
    const mates = (count: number) => say('domain:count.mates_other', { count });
    await expect(row('edit:field.crew')).toContainText(mates(2));
    await expect(row('edit:field.crew')).toContainText(mates(3));
    await expect(row('edit:field.comments')).toContainText(say('edit:none'));
    await expect(row('edit:difference')).toHaveText(/\d/);
    await checkPage(page, language);
    await dialog.getByRole('button', { name: say('common:action.save') }).click();
    await expect(page).toHaveURL(new RegExp(`/profile/bookings/${id}$`));
    await expect(page.locator(':focus')).toContainText(say('bookings:editedTitle'));
  });
}

test('what no page has is not found, also by search engines; the others name themselves in each language', async ({
  page,
  request,
}) => {
  const response = await page.goto('/no-such-page');
  expect(response?.status()).toBe(404);
  expect(response?.headers()['x-robots-tag']).toBe('noindex');
  await expect(page.getByRole('heading', { level: 1, name: text('en', 'page.notFound') })).toBeVisible();
  await expect(page.locator('link[rel="alternate"][hreflang]')).toHaveCount(0);
  expect((await request.get('/dashboard/no-such-page')).status()).toBe(404);
  await page.goto('/locations');
  const links = page.locator('link[rel="alternate"][hreflang]');
  await expect(links).toHaveCount(4);
  for (const link of await links.all()) expect(await link.getAttribute('href')).toMatch(/\/locations(?:\?lang=\w+)?$/);
});

test.describe('in colours of the system', () => {
  test.use({ forcedColors: 'active' });

  /** The colours that an element is painted with. */
  const painted = (element: Locator) =>
    element.evaluate((one) => {
      const { backgroundColor, color, borderTopColor } = getComputedStyle(one);
      return { backgroundColor, color, borderTopColor };
    });

  test('what is chosen, and where one is, can be told', async ({ page }) => {
    const language = 'en';
    const walk = { page, language } as const;
    const differ = async (chosen: Locator, other: Locator) => {
      await expect(chosen).toBeVisible();
      await expect
        .poll(async () => (await painted(chosen)).backgroundColor === (await painted(other)).backgroundColor)
        .toBe(false);
    };
    await start(walk);
    const dots = page.getByRole('navigation', { name: text(language, 'wizard:stepper.label') }).locator('[data-state]');
    await differ(dots.nth(0), dots.nth(1));
    await locations(walk);
    await heading(walk, 'move:title');
    const presets = page.getByRole('group', { name: text(language, 'furniture:presets.title') }).getByRole('button');
    await presets.first().click();
    await differ(presets.first(), presets.nth(1));
    const kinds = page.locator('label:has(input[type="radio"])');
    await differ(kinds.filter({ has: page.locator('input:checked') }).first(), kinds.nth(1));
    // the focus is an edge, which the system's colours leave
    await presets.nth(1).focus();
    await page.keyboard.press('Shift+Tab');
    expect(await page.locator(':focus').evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
    const help = page.getByLabel(text(language, 'domain:crew.client')).or(page.getByRole('checkbox').first()).first();
    await help.check();
    await differ(help, page.getByRole('checkbox', { checked: false }).first());
    await help.uncheck();
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await page.getByRole('button', { name: text(language, 'move:next') }).click();
    await schedule(walk);
    await heading(walk, 'quote:title');
    await page.goBack();
    await heading(walk, 'schedule:title');
    await differ(page.locator('td button[data-chosen]'), page.locator('td button[data-state="open"]').last());
    const slots = page.locator('label:has(input[name="slot"])');
    await differ(slots.filter({ has: page.locator('input:checked') }), slots.last());
  });
});
