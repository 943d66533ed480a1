import { expect, type Page, test } from '@playwright/test';

import { fillSignUp, newPerson, type Person, signUpFrom } from '../support/account.ts';
import { paymentReady } from '../support/checkout.ts';
import { standInForGateway } from '../support/gateway-script.ts';
import { checkPage } from '../support/page-checks.ts';
import { type Company, confirmAddress, startCompany } from '../support/production.ts';
import { retrying } from '../support/retrying.ts';
import { text } from '../support/texts.ts';
import { quoteAMove } from '../support/wizard.ts';

// the proxy's certificate is of an authority that the browser does not know
test.use({ ignoreHTTPSErrors: true });

const language = 'en' as const;
const say = (name: string, values: Record<string, string | number> = {}) => text(language, `ops/${name}`, values);
const owner: Person = { ...newPerson(), email: 'owner@move.example' };

/** A green bar on nothing, 120 by 40 pixels. */
const drawnLogo =
  'iVBORw0KGgoAAAANSUhEUgAAAHgAAAAoCAYAAAA16j4lAAAAVklEQVR42u3RQQ0AMAgAMVTgCAfzb2X80EBCm5yCiwAAAABGvvram8EGG2ywDJbBMlgGy2CDDTbYYINlsAyWwTLYYIMNNthgGSyDZbAMlsEGAwAAwCkNnzdhcQM7TDwAAAAASUVORK5CYII=';

/** Nothing but the environment: no terminal, no file, an empty database. */
let company: Company;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  company = await startCompany({
    PORTAGE_FIRST_ADMIN: owner.email,
    PORTAGE_COMPANY_NAME: 'Move',
    PORTAGE_COMPANY_ADDRESS: '1 Main Street, Montréal QC H2X 1Y4',
    PORTAGE_COMPANY_EMAIL: 'help@move.example',
    PORTAGE_COMPANY_PHONE: '514-555-0101',
  });
});
test.afterAll(async () => {
  await company.stop();
});

const title = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();

/** Starts that customers are offered in the next four weeks. */
async function offered(page: Page): Promise<number> {
  const query = new URLSearchParams({
    date: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
    days: '28',
    mateCount: '2',
    duration: '180',
    justMates: 'false',
    province: 'QC',
    city: 'Montréal',
    postalCode: 'H2X 1Y4',
  });
  const answer = await page.request.get(`${company.url}/api/availability?${query}`, retrying);
  expect(answer.ok()).toBe(true);
  const { days } = (await answer.json()) as { days: { slots: { available: boolean }[] }[] };
  return days.flatMap((day) => day.slots).filter((slot) => slot.available).length;
}

/** The first steps, of which these are done, and the way to the next one. */
async function steps(page: Page, done: number, next?: string): Promise<void> {
  await page.getByRole('link', { name: say('shell:area.firstSteps'), exact: true }).click();
  await title(page, say('shell:area.firstSteps'));
  await expect(page.getByText(say('firstSteps:state.done'), { exact: true })).toHaveCount(done);
  await expect(page.getByText(say('firstSteps:state.open'), { exact: true })).toHaveCount(5 - done);
  await checkPage(page);
  if (next) await page.getByRole('link', { name: say(`firstSteps:go.${next}`) }).click();
}

async function ownFacts(page: Page): Promise<void> {
  await title(page, say('shell:area.settings'));
  await expect(page.getByLabel(say('settings:label.name'), { exact: true })).toHaveValue('Move');
  await page.getByLabel(say('catalogue:number.tps')).fill('123456782 RT0001');
  await page.getByLabel(say('catalogue:number.tvq')).fill('1234567890 TQ0001');
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(drawnLogo, 'base64') });
  await expect(page.getByRole('img', { name: say('settings:logo.alt') })).toBeVisible();
  await page.getByRole('button', { name: text(language, 'action.save') }).click();
  await expect(page.getByText(text(language, 'person:saved')).first()).toBeVisible();
}

async function ownPrices(page: Page): Promise<void> {
  await title(page, say('shell:area.rates'));
  await page.getByRole('button', { name: say('rates:empty.begin') }).click();
  await title(page, say('rates:edit.active'));
  await page
    .getByRole('textbox', { name: say('rates:figure.first_mate_hourly'), exact: false })
    .first()
    .fill('95.00');
  await page.getByRole('checkbox', { name: say('rates:effect.waive') }).check();
  await page.getByRole('button', { name: say('rates:save.button') }).click();
  await title(page, say('shell:area.rates'));
  await expect(page.getByRole('row')).toHaveCount(3);
}

async function ownWeek(page: Page): Promise<void> {
  await title(page, say('shell:area.calendar'));
  await page.getByRole('button', { name: say('calendar:empty.do') }).click();
  const fields = page.getByRole('row').nth(1).getByRole('textbox');
  for (const [index, count] of ['12', '2', '3', '1'].entries()) await fields.nth(index).fill(count);
  await page.getByRole('button', { name: say('calendar:week.copy') }).click();
  await page.getByRole('button', { name: say('calendar:week.save') }).click();
  await expect(page.getByText(say('calendar:week.saved'))).toBeVisible();
}

async function ownPeople(page: Page): Promise<void> {
  await title(page, say('shell:area.mates'));
  await page
    .getByRole('button', { name: say('mates:add'), exact: true })
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel(say('mates:field.name'), { exact: true }).fill('Sam Lee');
  await drawer.getByRole('button', { name: text(language, 'action.save') }).click();
  await expect(page.getByText(say('catalogue:value.added'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
}

async function address(page: Page, side: string, typed: string): Promise<void> {
  const end = page.getByRole('group', { name: say(`order:group.${side}`), exact: true });
  await end.getByRole('combobox', { name: say('order:end.address') }).fill(typed);
  await expect(end.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(end.getByRole('button', { name: say('order:end.change') })).toBeVisible();
}

/** A move of the owner's own, as somebody would book it on the telephone. */
async function testBooking(page: Page): Promise<void> {
  await title(page, say('shell:do.newBooking'));
  await page.getByLabel(say('person:phone')).fill('514 555 0190');
  await page.getByLabel(say('person:email'), { exact: true }).fill('trial@move.example');
  await page.getByLabel(say('person:firstName')).fill('Ana');
  await page.getByLabel(say('person:lastName')).fill('Roy');
  await address(page, 'from', '1200 rue Peel, Montréal');
  await address(page, 'to', '300 boulevard Saint-Martin Ouest, Laval');
  const presets = page.getByRole('group', { name: text(language, 'furniture:presets.title') });
  await presets.getByRole('button').first().click();
  const days = page.getByRole('group', { name: say('order:when.days') });
  await days.locator('button[data-free]').nth(4).click();
  await page.locator('label:has(input[name="start"])').first().click();
  await page.getByRole('radio', { name: say('order:pay.onSite') }).check();
  await page.getByRole('checkbox', { name: say('order:terms.agreed') }).check();
  const button = page.locator('form button[type="submit"]');
  // the price may still follow what was chosen last
  await expect(async () => {
    const total = (await page.getByTestId('total').textContent()) ?? '';
    expect(total).toMatch(/\d/);
    expect(await button.textContent()).toContain(total);
  }).toPass();
  await button.click();
  await expect(page).toHaveURL(/\/bookings\/[\da-f-]{36}$/);
}

/** A customer, who knows nothing of all that, finds the site, books and pays. */
async function booked(page: Page, person: Person): Promise<string> {
  await standInForGateway(page, company.gateway);
  const walk = { page, language };
  await page.goto('/');
  // the company's own logo is drawn, and not only asked for
  const logo = page.locator('header img[src^="/api/logos/"]');
  await expect(logo).toBeVisible();
  await expect.poll(() => logo.evaluate((drawn: HTMLImageElement) => drawn.naturalWidth)).toBe(120);
  await quoteAMove(walk);
  await signUpFrom(walk, person);
  await paymentReady(walk);
  await page.getByTestId('pay').click();
  await title(page, text(language, 'confirmation:title'));
  await expect(page.getByTestId('short-id')).toHaveText(/\w/);
  return (await page.getByTestId('short-id').textContent()) ?? '';
}

test('a company begins: an empty database, the environment and a browser', { tag: '@desktop' }, async ({ browser }) => {
  const desk = await browser.newContext({ baseURL: company.url, ignoreHTTPSErrors: true });
  const page = await desk.newPage();
  expect(await offered(page)).toBe(0);

  await page.goto(`/signup?lang=${language}`);
  await fillSignUp(page, language, owner);
  await page.getByRole('button', { name: text(language, 'identity:signUp.action') }).click();
  await title(page, text(language, 'profile:hello', { name: owner.firstName }));
  await confirmAddress(page, company, owner.email);

  await page.goto(`/dashboard?lang=${language}`);
  await title(page, say('shell:area.bookings'));
  await expect(page.getByText(say('firstSteps:card.count', { done: 0, all: 5 }))).toBeVisible();
  await steps(page, 0, 'company');
  await ownFacts(page);
  await steps(page, 1, 'prices');
  await ownPrices(page);
  await steps(page, 2, 'calendar');
  await ownWeek(page);
  await steps(page, 3, 'people');
  await ownPeople(page);
  await expect.poll(() => offered(page)).toBeGreaterThan(20);
  await steps(page, 4, 'testBooking');
  await testBooking(page);
  await steps(page, 5);
  await expect(page.getByText(say('firstSteps:open.title'))).toBeVisible();

  const elsewhere = await browser.newContext({ baseURL: company.url, ignoreHTTPSErrors: true });
  const customer = newPerson();
  const code = await booked(await elsewhere.newPage(), customer);
  await expect
    .poll(() => company.mailsTo(customer.email).some((mail) => mail.includes(code) && mail.includes('/api/logos/')))
    .toBe(true);
  // the owner sees it without a reload of anything but the list
  await page.getByRole('link', { name: say('shell:area.bookings'), exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: code })).toBeVisible();
  await elsewhere.close();
  await desk.close();
});
