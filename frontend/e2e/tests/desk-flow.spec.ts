import { type Browser, expect, type Page, test } from '@playwright/test';

import { mailsTo } from '../support/account.ts';
import { fillCard, goodCard, refusedCard } from '../support/checkout.ts';
import { ops } from '../support/office.ts';
import { checkPage } from '../support/page-checks.ts';
import { retrying } from '../support/retrying.ts';
import { startServer, type TestServer, tuesdayMorning } from '../support/server.ts';
import { signedIn } from '../support/signed-in.ts';
import { allLanguages, type Language, text } from '../support/texts.ts';

/** A company that is there already: the demo's customers and their moves. */
let desk: TestServer;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  desk = await startServer(tuesdayMorning(), {}, undefined, ['--with-history']);
});
test.afterAll(async () => {
  await desk.stop();
});

const say = (name: string, values: Record<string, string | number> = {}) => text('en', `ops/${name}`, values);

async function enter(page: Page, path: string, language: Language = 'en'): Promise<void> {
  await signedIn(page, language, ops, desk.url);
  await page.goto(`${desk.url}/dashboard${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Goes to a page as a link inside the app does: loading all of the app for each page takes most of a test's time. */
async function follow(page: Page, to: string): Promise<void> {
  await page.evaluate(async (path) => {
    // where TanStack Router leaves itself for its developer tools
    const { __TSR_ROUTER__: router } = window as unknown as {
      __TSR_ROUTER__: { state: { status: string; resolvedLocation?: object } };
    };
    const before = router.state.resolvedLocation;
    window.history.pushState(null, '', path);
    while (router.state.resolvedLocation === before || router.state.status !== 'idle')
      await new Promise((drawn) => requestAnimationFrame(drawn));
  }, to);
}

/** Somebody calls: by their number the list has their moves; the one that is still to come is opened. */
async function caller(
  page: Page,
  phone: string,
  name: string,
  status: 'pending' | 'assigned' = 'pending',
): Promise<void> {
  await page.goto(`${desk.url}/dashboard/bookings`);
  // the keys count once the list is there
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('main').getByRole('searchbox')).toBeFocused();
  await page.keyboard.type(phone);
  const row = page
    .getByRole('row')
    .filter({ hasText: name })
    .filter({ hasText: say(`bookings:status.${status}`) });
  await expect(row).toHaveCount(1);
  await row.getByRole('link').first().click();
  await expect(page.getByRole('dialog').getByText(name, { exact: true }).first()).toBeVisible();
  // the drawer hears its keys once what it shows has come
  await expect(async () => {
    await page.keyboard.press('o');
    await expect(page).toHaveURL(ofRecord, { timeout: 1_000 });
  }).toPass();
  await record(page, name);
}

/** The address of a record's own page. */
const ofRecord = /\/bookings\/[\da-f-]{36}$/;
/** The record is there as a page, and it is this person's. */
async function record(page: Page, name: string): Promise<void> {
  await expect(page).toHaveURL(ofRecord);
  await expect(page.getByRole('heading', { level: 1, name: titled(name) })).toBeVisible();
}
/** The heading of somebody's record, whichever its code. */
const titled = (name: string) => new RegExp(`^${say('record:title', { name, code: '[A-Z0-9]{6}' })}$`);

const toast = (page: Page, words: string) => expect(page.getByText(words)).toBeVisible();
const act = (page: Page, name: string) =>
  page
    .getByRole('group', { name: say('record:do.label') })
    .getByRole('button', { name: say(name) })
    .click();

const amount = /\$[\d,]+\.\d\d/;
const cents = (text: string) => Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 100);

/** A customer's move is changed for their own sake when a crew is on it already: its fee is shown before anything is saved. */
async function changed(page: Page): Promise<void> {
  const name = 'James O’Neill';
  // booked days ago, with days to go, and a tip in percent
  await caller(page, '514 555 0163', name, 'assigned');
  await act(page, 'record:do.change');
  const preview = page.getByRole('complementary', { name: say('change:preview.title') });
  const date = page.getByLabel(say('change:field.date'));
  await expect(date).toHaveValue(/^\d{4}-\d\d-\d\d$/);
  const before = await date.inputValue();
  const later = new Date(`${before}T12:00:00Z`);
  later.setUTCDate(later.getUTCDate() + 7);
  await date.fill(later.toISOString().slice(0, 10));
  await page.getByLabel(say('change:field.customersWish')).check();
  // what it costs stands there before anything is saved
  const now = preview.locator('[data-key="new"] dd');
  await expect(now).toHaveText(amount);
  // the figures of exactly this change: what is saved waits for them
  await expect(preview).toHaveAttribute('aria-busy', 'false');
  await expect(page.getByRole('button', { name: text('en', 'action.save') })).toBeEnabled();
  const total = await now.textContent();
  // the fee as the card is charged for it, and as the line of the price has it: staff can tell both
  const fee = preview.locator('[data-key="fee"]');
  await expect(fee.locator('dt')).toContainText(say('change:preview.fee'));
  await expect(fee.locator('dd')).toHaveText(amount);
  const beforeTax = amount.exec((await fee.locator('dt').textContent()) ?? '')?.[0] ?? '';
  expect(beforeTax).not.toBe('');
  expect(cents(beforeTax)).toBeGreaterThan(0);
  expect(cents((await fee.locator('dd').textContent()) ?? '')).toBeGreaterThan(cents(beforeTax));
  // without it the move costs less
  expect(cents(total ?? '')).toBeGreaterThan(cents((await fee.locator('dd').textContent()) ?? ''));
  // the tip follows the price that the fee has raised
  await expect(preview.locator('[data-key="tip"] dd')).toHaveText(/^\$[\d,]+\.\d\d → \$[\d,]+\.\d\d$/);
  await checkPage(page);
  await page.getByRole('button', { name: text('en', 'action.save') }).click();
  await toast(page, say('change:save.done', { code: '' }).trim());
  await record(page, name);
  await expect(page.getByRole('main')).toContainText(total ?? '');
  // the record has the fee as a line of its price
  const price = page.getByRole('region', { name: say('record:part.price') });
  await expect(price).toContainText(say('domain:lineCode.change_fee'));
  await expect(price).toContainText(beforeTax);
}

/** The company is at fault: nothing is kept. */
async function cancelled(page: Page): Promise<void> {
  await caller(page, '5145550132', 'Rachel Goldberg');
  await act(page, 'record:do.cancel');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio', { name: say('record:cancel.company') })).toBeChecked();
  await expect(dialog.getByText(say('record:cancel.kept')).locator('..')).toContainText('$0.00');
  await dialog.getByLabel(say('record:cancel.reason')).fill('No crew on that day after all');
  await checkPage(page);
  await dialog.getByRole('button', { name: say('record:cancel.run') }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main')).toContainText(say('bookings:status.cancelled'));
}

/** In a short window the answers of a long dialog stay in view, and cover nothing that has the focus. */
async function answersCoverNoField(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 640 });
  await page.getByRole('button', { name: say('record:credit.open') }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: say('record:credit.run.refund') })).toBeInViewport();
  for (const label of ['record:credit.amount', 'record:credit.reason']) {
    const field = dialog.getByLabel(say(label));
    await field.focus();
    const isSeen = field.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === element;
    });
    expect(await isSeen, label).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  if (before) await page.setViewportSize(before);
}

async function confirmedAgain(page: Page): Promise<void> {
  await caller(page, '(514) 555-0141', 'Sophie Lavoie');
  await answersCoverNoField(page);
  await act(page, 'record:do.confirmation');
  await toast(page, say('record:sent.done', { recipient: 'sophie.lavoie@portage.test' }));
}

/** Address of one end, as it is said on the phone: the first that is found. */
async function address(page: Page, side: string, typed: string): Promise<void> {
  const end = page.getByRole('group', { name: say(`order:group.${side}`), exact: true });
  await end.getByRole('combobox', { name: say('order:end.address') }).fill(typed);
  await expect(end.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(end.getByRole('button', { name: say('order:end.change') })).toBeVisible();
}

/** The link to pay in the newest mail to somebody, as soon as there is one. */
async function linkFor(page: Page, email: string): Promise<string> {
  let link = '';
  await expect
    .poll(async () => {
      for (const { id } of await mailsTo(page, email, desk.url)) {
        const mail = await (await page.request.get(`${desk.url}/simulators/mailbox/messages/${id}`, retrying)).text();
        link = /https?:\/\/[^\s"'<>\\]+\/pay\/[\w~.-]+/.exec(mail)?.[0] ?? '';
        if (link) return true;
      }
      return false;
    })
    .toBe(true);
  return link;
}

/** A move booked for the caller, paid on the caller's own telephone by the link in the mail. */
async function bookedByLink(page: Page, browser: Browser): Promise<void> {
  await page.goto(`${desk.url}/dashboard/bookings`);
  // the keys count once the list is there
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { level: 1, name: say('shell:do.newBooking') })).toBeVisible();
  // the whole number finds who it is, and fills in the rest
  await page.getByLabel(say('person:phone')).fill('514 555 0185');
  await expect(page.getByLabel(say('person:lastName'))).toHaveValue('Kowalski');
  const field = page.getByLabel(say('person:email'), { exact: true });
  await expect(field).toHaveValue(/@/);
  const email = await field.inputValue();
  await address(page, 'from', '1200 rue Peel, Montréal');
  await address(page, 'to', '300 boulevard Saint-Martin Ouest, Laval');
  await page
    .getByRole('group', { name: text('en', 'furniture:presets.title') })
    .getByRole('button')
    .first()
    .click();
  const days = page.getByRole('group', { name: say('order:when.days') });
  await days.locator('button[data-free]').nth(4).click();
  await page.locator('label:has(input[name="start"])').first().click();
  await page.getByRole('radio', { name: say('order:pay.link') }).check();
  await page.getByRole('checkbox', { name: say('order:terms.agreed') }).check();
  await expect(page.getByRole('complementary').getByText(say('order:quote.cancel'))).toBeVisible();
  const button = page.locator('form button[type="submit"]');
  await expect(button).toBeEnabled();
  // the button names the total, whichever the last answer says it is
  let total = '';
  await expect(async () => {
    total = (await page.getByTestId('total').textContent()) ?? '';
    expect(total).toMatch(/\d/);
    expect(await button.textContent()).toContain(total);
  }).toPass();
  await checkPage(page);
  await button.click();
  await record(page, 'Hannah Kowalski');
  // what went out to whom
  await expect(page.getByText(`${total} went to ${email}`)).toBeVisible();
  await expect(page.getByRole('main')).toContainText(say('record:toPayBy.link'));
  const booking = page.url();

  const link = await linkFor(page, email);
  expect(link).toContain(`${desk.url}/pay/`);
  await page.goto(booking);
  await expect(page.getByRole('main')).toContainText(say('record:toPayBy.link'));
  // somebody else's telephone, where nobody is signed in
  const elsewhere = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const phone = await elsewhere.newPage();
  await phone.goto(`${link}?lang=en`);
  await expect(phone.getByRole('heading', { level: 1, name: text('en', 'pay:title') })).toBeVisible();
  await expect(phone.getByTestId('amount')).toHaveText(total);
  await checkPage(phone);
  const walk = { page: phone, language: 'en' } as const;
  await fillCard(walk, refusedCard);
  await phone.getByTestId('pay').click();
  await expect(phone.getByText(text('en', 'payments:payment.declined'))).toBeVisible();
  await fillCard(walk, goodCard);
  await phone.getByTestId('pay').dblclick();
  const thanks = phone.getByRole('heading', { level: 1, name: text('en', 'checkout:thanksNamed', { name: 'Hannah' }) });
  await expect(thanks).toBeInViewport();
  await checkPage(phone);
  // the desk has the record open, and sees it without a reload
  await expect(page.getByRole('main')).toContainText(say('record:settled'));
  await expect(page.getByRole('main')).toContainText(say('record:paidBy.link'));
  // a second payment is impossible
  await phone.reload();
  await expect(thanks).toBeVisible();
  await expect(phone.getByTestId('pay')).toHaveCount(0);
  await elsewhere.close();
}

test('an hour at the desk: found by telephone, changed, booked by link, cancelled, confirmed again', async ({
  page,
  browser,
}) => {
  await enter(page, '/bookings');
  await changed(page);
  await bookedByLink(page, browser);
  await cancelled(page);
  await confirmedAgain(page);
});

for (const language of allLanguages) {
  test(`the pages of the desk with a company's data in ${language}`, async ({ page }) => {
    await enter(page, '/bookings?all=true&view=all', language);
    await expect(page.getByRole('row').nth(5)).toBeVisible();
    await checkPage(page, language);
    await page.getByRole('row').nth(3).getByRole('link').first().click();
    await expect(page.getByRole('dialog').getByRole('heading', { level: 2 }).first()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await checkPage(page, language);
    for (const [path, name] of [
      ['/card', 'ops/shell:area.card'],
      ['/failed-charges', 'ops/shell:area.failedCharges'],
      ['/first-steps', 'ops/shell:area.firstSteps'],
      ['/calendar?hub=montreal&year=2027', 'ops/shell:area.calendar'],
      ['/calendar?hub=montreal&part=week', 'ops/shell:area.calendar'],
      ['/calendar?hub=montreal&part=absences', 'ops/shell:area.calendar'],
      ['/rates', 'ops/shell:area.rates'],
      ['/reconciliation', 'ops/shell:area.reconciliation'],
      ['/invoices', 'ops/shell:area.invoices'],
      ['/dispatch', 'ops/shell:area.dispatch'],
      ['/templates', 'ops/shell:area.templates'],
      ['/messages', 'ops/shell:area.messages'],
      ['/books', 'ops/shell:area.books'],
      ['/books?part=journal', 'ops/shell:area.books'],
      ['/books?part=trust', 'ops/shell:area.books'],
      ['/books?part=balances', 'ops/shell:area.books'],
      ['/settings?group=company', 'ops/shell:area.settings'],
      ['/settings?group=policy', 'ops/shell:area.settings'],
      ['/settings?group=scheduling', 'ops/shell:area.settings'],
      ['/members', 'ops/shell:area.members'],
      ['/audit', 'ops/shell:area.audit'],
      ['/jobs', 'ops/shell:area.jobs'],
    ] as const) {
      await follow(page, `/dashboard${path}`);
      await expect(page.getByRole('heading', { level: 1, name: text(language, name), exact: true })).toBeVisible();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await checkPage(page, language);
    }
  });

  test(`the editor of a rate card in ${language}: every part open, the effect, a figure that is none`, async ({
    page,
  }) => {
    const words = (name: string) => text(language, `ops/rates:${name}`);
    await enter(page, '/rates', language);
    await page.locator('a[href*="/rates/"]').first().click();
    await expect(page.getByRole('heading', { level: 1, name: words('edit.active') })).toBeVisible();
    // what is closed is not drawn, and a part may have parts
    const closed = page.locator('main :is(h2, h3) > button[aria-expanded="false"]');
    await expect(closed.first()).toBeVisible();
    await expect(async () => {
      while ((await closed.count()) > 0) await closed.first().click({ timeout: 1_000 });
      expect(await page.locator('main input[inputmode="decimal"]').count()).toBeGreaterThan(100);
    }).toPass();
    await checkPage(page, language);
    // but for the first part, what was looked at is closed again: each look at all of it takes seconds
    const open = page.locator('main :is(h2, h3) > button[aria-expanded="true"]');
    await open.evaluateAll((all: HTMLElement[]) => all.slice(1).forEach((one) => one.click()));
    await expect(open).toHaveCount(1);
    await page.getByRole('button', { name: words('effect.look') }).click();
    await expect(page.getByText(words('effect.oldSum'))).toBeVisible();
    // of bookings, and of the example moves that nobody booked
    await expect(page.getByRole('region', { name: words('example.table') }).getByRole('row')).toHaveCount(4);
    await checkPage(page, language);
    await page.locator('main input[inputmode="decimal"]').first().fill('x');
    await page.getByRole('button', { name: words('save.button') }).click();
    await expect(page.getByText(words('wrong.unreadable').replace('{p1}', '').trim()).first()).toBeVisible();
    await checkPage(page, language);
  });
}
