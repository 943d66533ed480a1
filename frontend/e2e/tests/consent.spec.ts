import { expect, type Page, test } from '@playwright/test';

import { mailsTo } from '../support/account.ts';
import { ops } from '../support/office.ts';
import { checkPage } from '../support/page-checks.ts';
import { retrying } from '../support/retrying.ts';
import { startServer, type TestServer, tuesdayMorning } from '../support/server.ts';
import { signedIn } from '../support/signed-in.ts';
import { allLanguages, text } from '../support/texts.ts';

const customer = { email: 'priyanka.sharma@portage.test', name: 'Priyanka Sharma', phone: '416 555 0153' };

let desk: TestServer;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  desk = await startServer(tuesdayMorning(), {}, undefined, ['--with-history']);
});
test.afterAll(async () => {
  await desk.stop();
});

const say = (name: string, values: Record<string, string | number> = {}) => text('en', `ops/${name}`, values);

/** The texts of the mails to the customer, the newest last. */
async function mails(page: Page): Promise<string[]> {
  const all: string[] = [];
  for (const { id } of await mailsTo(page, customer.email, desk.url))
    all.push(await (await page.request.get(`${desk.url}/simulators/mailbox/messages/${id}`, retrying)).text());
  return all;
}

async function charged(page: Page): Promise<number> {
  const list = (await (await page.request.get(`${desk.url}/simulators/braintree/transactions`, retrying)).json()) as {
    data: unknown[];
  };
  return list.data.length;
}

const link = /https?:\/\/[^\s"'<>\\]+\/consent\/[\w~.-]+/;

test('a cancellation is taken back, and the customer agrees to be charged again', async ({ page, browser }) => {
  await signedIn(page, 'en', ops, desk.url);
  await page.goto(`${desk.url}/dashboard/bookings`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('main').getByRole('searchbox')).toBeFocused();
  await page.keyboard.type(customer.phone);
  const row = page
    .getByRole('row')
    .filter({ hasText: customer.name })
    .filter({ hasText: say('bookings:status.pending') });
  await expect(row).toHaveCount(1);
  await row.getByRole('link').first().click();
  await expect(page.getByRole('dialog').getByText(customer.name, { exact: true }).first()).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('o');
    await expect(page).toHaveURL(/\/bookings\/[\da-f-]{36}$/, { timeout: 1_000 });
  }).toPass();
  // the address changes before the page does: until then the buttons are those of the list's drawer
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(`^${customer.name} `) })).toBeVisible();
  const actions = page.getByRole('group', { name: say('record:do.label') });
  await actions.getByRole('button', { name: say('record:do.cancel') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('record:cancel.reason')).fill('The truck broke down');
  await dialog.getByRole('button', { name: say('record:cancel.run') }).click();
  await expect(dialog).toBeHidden();
  // the deposit is on its way back before the move is taken up again
  await expect.poll(async () => (await mails(page)).some((mail) => mail.includes('Refund for'))).toBe(true);
  const before = await charged(page);

  await actions.getByRole('button', { name: say('bookings:bulk.status') }).click();
  await dialog.getByRole('radio', { name: say('bookings:status.pending') }).check();
  await expect(dialog.getByText(say('record:asked.follows', { lockWindow: '48 hours' }))).toBeVisible();
  await dialog.getByLabel(say('bookings:bulk.reason')).fill('Another truck was found');
  await dialog
    .getByRole('button', { name: say('record:status.set', { status: say('bookings:status.pending') }) })
    .click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main')).toContainText(say('record:asked.recharge'));
  await checkPage(page);

  let address = '';
  await expect
    .poll(async () => {
      address = (await mails(page)).map((mail) => link.exec(mail)?.[0] ?? '').find((one) => one !== '') ?? '';
      return address;
    })
    .toContain(`${desk.url}/consent/`);
  // somebody's telephone, where nobody is signed in
  const elsewhere = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const phone = await elsewhere.newPage();
  for (const language of allLanguages) {
    await phone.goto(`${address}?lang=${language}`);
    await expect(phone.getByRole('heading', { level: 1, name: text(language, 'consent:title') })).toBeVisible();
    await checkPage(phone, language);
  }
  await phone.goto(`${address}?lang=en`);
  await expect(phone.getByTestId('consent-text')).toContainText('I agree that');
  // by the keyboard alone
  await phone.getByTestId('agree').focus();
  await phone.keyboard.press('Enter');
  const thanks = phone.getByRole('heading', {
    level: 1,
    name: text('en', 'checkout:thanksNamed', { name: 'Priyanka' }),
  });
  await expect(thanks).toBeInViewport();
  await checkPage(phone);
  await phone.reload();
  await expect(thanks).toBeVisible();
  await expect(phone.getByTestId('agree')).toHaveCount(0);
  // the desk sees it without a reload; nothing is charged before its day
  await expect(page.getByRole('main')).not.toContainText(say('record:asked.recharge'));
  await expect(page.getByRole('main')).toContainText(
    say('record:asked.is.agreed', { what: say('record:asked.kind.recharge') }),
  );
  expect(await charged(page)).toBe(before);
  await phone.goto(`${desk.url}/consent/${'x'.repeat(43)}?lang=en`);
  await expect(phone.getByRole('heading', { level: 1, name: text('en', 'consent:gone.title') })).toBeVisible();
  await checkPage(phone);
  await elsewhere.close();
});
