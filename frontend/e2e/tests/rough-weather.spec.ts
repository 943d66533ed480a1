import { expect, type Page, test } from '@playwright/test';

import { newPerson } from '../support/account.ts';
import { fillCard, paymentReady } from '../support/checkout.ts';
import { draftAMove } from '../support/draft.ts';
import { serveGatewayScripts } from '../support/gateway-script.ts';
import { checkPage } from '../support/page-checks.ts';
import { text } from '../support/texts.ts';
import { locations, moveType, start } from '../support/wizard.ts';

// what goes wrong around the page: the gateway's script, the provider, a deploy, other engines' data, lost answers
test.describe.configure({ mode: 'parallel' });

const language = 'en' as const;
const traces = (page: Page) =>
  page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]));

/** Holds the app's first script back until the function that is returned is called. */
async function holdApp(page: Page): Promise<() => void> {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/assets\/index-[\w-]+\.js$/, async (route) => {
    await arrived;
    await route.fallback();
  });
  return () => {
    arrive();
  };
}

async function readyToPay(page: Page): Promise<void> {
  const walk = { page, language };
  await draftAMove(walk, { person: newPerson() });
  await paymentReady(walk);
}

test('the gateway’s card form: not before it is needed, told when it cannot load, loaded by trying again', async ({
  page,
}) => {
  const scripts = await serveGatewayScripts(page);
  scripts.blocked = true;
  await draftAMove({ page, language }, { person: newPerson() });
  const trouble = page.getByRole('alert').filter({ hasText: text(language, 'payments:card.unavailable') });
  await expect(trouble).toContainText(text(language, 'payments:card.unavailableHelp'));
  await checkPage(page);
  // pressing without fields leads to the reason instead of doing nothing
  await expect(page.getByTestId('pay')).toBeEnabled();
  await page.getByTestId('pay').click();
  await expect(page.locator('[tabindex="-1"]').filter({ has: trouble })).toBeFocused();
  scripts.blocked = false;
  await page.evaluate(() => Object.assign(window, { breakCardFields: true }));
  await trouble.getByRole('button', { name: text(language, 'action.retry') }).click();
  // the script came, the fields did not: again, in new boxes; until then the notice of before may still stand there
  await page.waitForFunction(() => !(window as unknown as { breakCardFields?: boolean }).breakCardFields);
  await expect(trouble).toBeVisible();
  await trouble.getByRole('button', { name: text(language, 'action.retry') }).click();
  await expect(page.locator('main iframe')).toHaveCount(4);
  await expect(trouble).toBeHidden();
  expect(scripts.asked.filter((name) => name === 'client').length).toBeGreaterThan(1);
  await page.getByTestId('pay').click();
  await expect(page.getByTestId('short-id')).toBeVisible();
});

test('no script of the gateway is asked for before the payment step', async ({ page }) => {
  const scripts = await serveGatewayScripts(page);
  await start({ page, language });
  await locations({ page, language });
  await moveType({ page, language });
  await expect(page.getByRole('heading', { level: 1, name: text(language, 'schedule:title') })).toBeVisible();
  expect(scripts.asked).toEqual([]);
});

test('signing in with the provider down is told, and works once it is back', async ({ page }) => {
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await page.route('**/.well-known/openid-configuration', (route) => route.abort('connectionrefused'));
  await page.goto('/');
  await page
    .getByRole('region', { name: text(language, 'widget.label') })
    .getByRole('button', { name: 'Sign In' })
    .click();
  const dialog = page.getByRole('dialog', { name: text(language, 'session:trouble.signIn') });
  await expect(dialog).toContainText(text(language, 'session:trouble.signInHelp'));
  await checkPage(page);
  await page.unroute('**/.well-known/openid-configuration');
  await dialog.getByRole('button', { name: text(language, 'action.retry') }).click();
  await expect(page.getByRole('heading', { level: 1, name: text(language, 'identity:signIn.title') })).toBeVisible();
  expect(failures).toEqual([]);
});

test('a session that ended elsewhere ends in every tab, keeps the draft and leads back', async ({ page, context }) => {
  await readyToPay(page);
  const other = await context.newPage();
  await other.goto('/profile/settings');
  await expect(other.getByRole('button', { name: text(language, 'action.signOut') })).toBeVisible();
  // the provider has ended it: no renewal, and the API takes the token no more
  await context.clearCookies();
  await context.route('**/identity/token', (route) => route.fulfill({ status: 400, json: { error: 'invalid_grant' } }));
  for (const path of ['**/api/profiles/', '**/api/bookings/previous*'])
    await context.route(path, (route) => route.fulfill({ status: 401, json: { code: 'unauthenticated' } }));
  await page.getByRole('link', { name: text(language, 'shell:widget.profile') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text(language, 'wizard:leave.go') })
    .click();
  for (const tab of [page, other]) {
    await expect(tab.getByText(text(language, 'session:ended.title'))).toBeVisible();
    await expect(tab.getByRole('heading', { name: text(language, 'shell:loginNeeded') })).toBeVisible();
    await expect(tab.getByRole('link', { name: text(language, 'shell:widget.profile'), exact: true })).toHaveCount(0);
  }
  await checkPage(page);
  expect(await traces(page)).toContain('couch-3-seats');
  await page
    .getByRole('region', { name: text(language, 'shell:notice.label') })
    .getByRole('button', { name: text(language, 'action.signIn') })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: text(language, 'identity:signIn.title') })).toBeVisible();
  expect(await traces(page)).toContain('couch-3-seats');
});

test('signing out leaves nothing behind, in no tab', async ({ page, context }) => {
  await draftAMove({ page, language }, { person: newPerson() });
  await paymentReady({ page, language });
  const other = await context.newPage();
  await other.goto('/locations');
  const pickup = other.getByRole('region', { name: text(language, 'domain:end.pickup') });
  const access = text(language, 'wizard:changeWhat').replace('{what}', text(language, 'locations:access.title'));
  await pickup.getByRole('button', { name: access }).click();
  await pickup.getByLabel(text(language, 'locations:details.label')).fill('door code 4711');
  await expect.poll(() => traces(page)).toContain('4711');
  const third = await context.newPage();
  await third.goto('/profile/settings');
  await third.getByRole('button', { name: text(language, 'action.signOut') }).click();
  await expect(third.getByRole('heading', { level: 1, name: text(language, 'start:title') })).toBeVisible();
  for (const tab of [page, other, third]) {
    await expect(tab.getByRole('heading', { level: 1, name: text(language, 'start:title') })).toBeVisible();
    await expect.poll(() => traces(tab)).not.toMatch(/4711|couch-3-seats/);
    await expect.poll(() => tab.content()).not.toContain('4711');
  }
  // nor does the way back show it
  await other.goBack().catch(() => {});
  await expect(other.locator('body')).not.toContainText('4711');
});

test('going on before the app has arrived keeps the language and the link’s prefilled answers', async ({ page }) => {
  const arrive = await holdApp(page);
  await page.goto('/?lang=fr&pickupApt=4B', { waitUntil: 'commit' });
  await page.getByRole('link', { name: text('fr', 'start:next'), exact: true }).click({ noWaitAfter: true });
  await page.waitForURL(/\/locations/, { waitUntil: 'commit' });
  arrive();
  await expect(page.getByRole('heading', { level: 1, name: text('fr', 'locations:title') })).toBeVisible();
  // The heading stands there before the app has arrived.
  await expect.poll(() => traces(page)).toContain('4B');
});

for (const how of ['pressed', 'focused'] as const) {
  test(`the app takes the start page’s place without losing what is ${how} on it`, async ({ page }) => {
    const arrive = await holdApp(page);
    await page.goto('/?lang=zh', { waitUntil: 'commit' });
    const next = page.getByRole('link', { name: text('zh', 'start:next'), exact: true });
    if (how === 'pressed') {
      await next.hover();
      await page.mouse.down();
    } else await next.focus();
    arrive();
    await page.waitForTimeout(1200);
    if (how === 'pressed') await page.mouse.up();
    else await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: text('zh', 'locations:title') })).toBeVisible();
  });
}

test('who types while the app takes the start page’s place loses no letter and no space', async ({ page }) => {
  const arrive = await holdApp(page);
  await page.goto('/?lang=en', { waitUntil: 'commit' });
  await page.locator('.shell-start input').first().focus();
  const app = { arrived: false };
  void page.waitForFunction(() => document.querySelector('.shell-start') === null).then(() => (app.arrived = true));
  arrive();
  let typed = '';
  // every second key is a space: whichever moment the app comes at, one stands at the end of what was typed
  for (let keys = 0; !app.arrived || keys % 20 !== 0; keys += 1) {
    const key = keys % 2 === 0 ? String.fromCodePoint(97 + (keys % 26)) : ' ';
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    typed += key;
  }
  await expect(page.getByRole('combobox', { name: text('en', 'wizard:way.pickup') })).toBeFocused();
  expect(await page.locator(':focus').inputValue()).toBe(typed);
});

test('a deploy under an open tab: the next page comes as a whole, with the draft', async ({ page }) => {
  await start({ page, language });
  await locations({ page, language });
  // a file is asked for twice, by two addresses
  let gone = 2;
  await page.route(/\/assets\/schedule-[\w-]+\.js(?:\?|$)/, async (route) => {
    if (gone > 0) {
      gone -= 1;
      await route.fulfill({ status: 404, body: '' });
    } else await route.fallback();
  });
  await moveType({ page, language });
  await expect(page.getByRole('heading', { level: 1, name: text(language, 'schedule:title') })).toBeVisible();
  expect(gone).toBe(0);
  await expect(page.locator('td button[data-state="open"]').first()).toBeVisible();
  expect(await traces(page)).toContain('1200');
});

test('a file that the browser keeps as failed is asked for by another address', async ({ page }) => {
  await start({ page, language });
  await locations({ page, language });
  // as WebKit, which answers from memory whatever is asked for again by the same address
  await page.route(/\/assets\/schedule-[\w-]+\.js$/, (route) => route.abort('connectionreset'));
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await moveType({ page, language });
  await expect(page.getByRole('heading', { level: 1, name: text(language, 'schedule:title') })).toBeVisible();
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
});

test('a page whose file stays missing says so after one reload, and the draft is kept', async ({ page }) => {
  await start({ page, language });
  await locations({ page, language });
  await page.route(/\/assets\/schedule-[\w-]+\.js(?:\?|$)/, (route) => route.fulfill({ status: 404, body: '' }));
  let loads = 0;
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) loads += 1;
  });
  await moveType({ page, language });
  await expect(page.getByText(/^A part of this page could not be fetched/)).toBeVisible();
  await checkPage(page);
  const before = loads;
  await page.waitForTimeout(1000);
  expect(loads).toBe(before);
  expect(await traces(page)).toContain('1200');
  await page.unrouteAll();
  await page.getByRole('button', { name: text(language, 'frame:page.loadAgain') }).click();
  await expect(page.getByRole('heading', { level: 1, name: text(language, 'schedule:title') })).toBeVisible();
});

test('an engine that prints en-CA days as M/D/Y opens the schedule and holds a start', async ({ page }) => {
  await page.addInitScript(() => {
    const real = Intl.DateTimeFormat.prototype.formatToParts;
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get() {
        const format = this as Intl.DateTimeFormat;
        return (date?: Date | number) => {
          const parts = real.call(format, date);
          const value = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
          const { locale, month } = format.resolvedOptions();
          if (locale.startsWith('en') && (month === 'numeric' || month === '2-digit'))
            return `${Number(value('month'))}/${Number(value('day'))}/${value('year')}`;
          return parts.map((part) => part.value.replaceAll(' ', '\u202F')).join('');
        };
      },
    });
  });
  await start({ page, language });
  await locations({ page, language });
  await moveType({ page, language });
  await page.getByRole('button', { name: text(language, 'common:month.next') }).click();
  await page.locator('td button[data-state="open"]').first().click();
  await page.locator('label:has(input[name="slot"])').nth(3).click();
  await expect(
    page.getByRole('status').filter({ hasText: /This start is kept for you for \d+ more minutes/ }),
  ).toBeVisible();
});

test('a change whose answer gets lost is found out about and sent once', async ({ page }) => {
  await readyToPay(page);
  await fillCard({ page, language });
  await page.getByTestId('pay').click();
  await expect(page.getByTestId('short-id')).toBeVisible();
  const id = new URL(page.url()).searchParams.get('booking') ?? '';
  await page.goto(`/quote?edit=${id}`);
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await page.getByLabel(/Comments for the crew/).fill('third door on the left');
  let sent = 0;
  await page.route(`**/api/c/bookings/${id}`, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    sent += 1;
    await route.fetch().catch(() => {});
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: text(language, 'edit:review') }).click();
  const dialog = page.getByRole('dialog', { name: text(language, 'edit:title') });
  await dialog.getByRole('button', { name: text(language, 'action.save') }).click();
  await expect(page).toHaveURL(new RegExp(`/profile/bookings/${id}$`), { timeout: 20_000 });
  await expect(page.getByText(text(language, 'page.saveFailed'))).toHaveCount(0);
  expect(sent).toBe(1);
});

test('a change that did not arrive is not offered again while nobody knows', async ({ page }) => {
  await readyToPay(page);
  await fillCard({ page, language });
  await page.getByTestId('pay').click();
  await expect(page.getByTestId('short-id')).toBeVisible();
  const id = new URL(page.url()).searchParams.get('booking') ?? '';
  await page.goto(`/quote?edit=${id}`);
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  await page.getByLabel(/Comments for the crew/).fill('third door on the left');
  await page.route(`**/api/c/bookings/${id}`, (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionreset') : route.fallback(),
  );
  await page.getByRole('button', { name: text(language, 'edit:review') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text(language, 'action.save') })
    .click();
  const dialog = page.getByRole('dialog', { name: text(language, 'edit:pendingTitle') });
  await expect(dialog).toContainText(text(language, 'edit:looking'));
  await checkPage(page);
  await expect(dialog).toContainText(text(language, 'edit:pending'), { timeout: 90_000 });
  await expect(dialog.getByRole('button', { name: text(language, 'action.save') })).toHaveCount(0);
  await checkPage(page);
});
