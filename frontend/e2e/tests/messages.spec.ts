import { randomUUID } from 'node:crypto';

import { expect, type Page, test } from '@playwright/test';

import { mailsTo } from '../support/account.ts';
import { everyMessage } from '../support/every-message.ts';
import { office, ops } from '../support/office.ts';
import { checkPage } from '../support/page-checks.ts';
import { retrying } from '../support/retrying.ts';
import { startServer, type TestServer, tuesdayMorning } from '../support/server.ts';
import { signedIn } from '../support/signed-in.ts';
import { allLanguages, type Language, text } from '../support/texts.ts';

let server: TestServer;
const began = tuesdayMorning();
test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startServer(began);
});
test.afterAll(async () => {
  await server.stop();
});

const say = (name: string, values: Record<string, string | number> = {}, language: Language = 'en') =>
  text(language, `ops/templates:${name}`, values);

async function enter(page: Page, path: string, language: Language = 'en'): Promise<void> {
  await signedIn(page, language, ops, server.url);
  await page.goto(`${server.url}/dashboard${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** What a message must never do in the preview: each would be seen by one of the watchers. */
const hostile = `<!doctype html><html><head><style>@import 'https://spy.test/a.css'; p { background: url(https://spy.test/b.png) }</style>
<script>alert('ran'); fetch('https://spy.test/c')</script><meta http-equiv="refresh" content="0; url=https://spy.test/d"></head>
<body><p>Hostile</p><img src="https://spy.test/e.png" onerror="alert('ran')"><svg onload="alert('ran')"></svg>
<iframe src="https://spy.test/f"></iframe><form action="https://spy.test/g"><button autofocus onfocus="alert('ran')">x</button></form>
<a id="out" href="https://spy.test/h" target="_top">out</a></body></html>`;

/** Whatever ran, or reached the network. */
async function watched(page: Page): Promise<string[]> {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', () => seen.push('popup'));
  // what the page's policy stops never comes to the network
  await page.context().route(/spy\.test/, (route) => {
    seen.push(`request: ${route.request().url()}`);
    return route.abort();
  });
  return seen;
}

/** Reports of the page's own policy: empty as long as nothing even tried. */
async function violations(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    document.addEventListener('securitypolicyviolation', (event) =>
      told.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return () => page.evaluate(() => (window as unknown as { told: string[] }).told);
}

const frame = (page: Page) => page.locator(`iframe[title="${say('frame')}"]`);
const html = (page: Page) => page.getByLabel(say('part.html'), { exact: true });

test('what runs or loads in a template is refused before it is shown, and the policy has nothing to report', async ({
  page,
}) => {
  const seen = await watched(page);
  const reported = await violations(page);
  await enter(page, '/templates/welcome/en');
  await expect(frame(page)).toBeVisible();
  for (const words of [
    '<p>x</p><script>alert(1)</script>',
    '<img alt="" src="https://spy.test/a.png">',
    '<img alt="" src="cid:x" onerror="alert(1)">',
    hostile,
  ]) {
    await html(page).fill(words);
    await expect(page.getByText(say('unreadable'))).toBeVisible();
    // and it is not saved
    await page.getByRole('button', { name: text('en', 'action.save'), exact: true }).click();
    await expect(page.getByText(say('refused'))).toBeVisible();
    await html(page).fill('<p>Harmless</p>');
    await expect(page.frameLocator(`iframe[title="${say('frame')}"]`).getByText('Harmless')).toBeVisible();
  }
  expect(seen).toEqual([]);
  expect(await reported()).toEqual([]);
});

test('a preview that is hostile all the same runs nothing, reaches nobody and leads nowhere', async ({ page }) => {
  const seen = await watched(page);
  await page.route('**/api/templates/welcome/en/preview', (route) =>
    route.fulfill({
      json: { subject: 'Hostile', text: 'Hostile', html: hostile, unsupportedKeys: [], isSample: true, segments: null },
    }),
  );
  await enter(page, '/templates/welcome/en');
  const shown = page.frameLocator(`iframe[title="${say('frame')}"]`);
  await expect(shown.getByText('Hostile')).toBeVisible();
  expect(await frame(page).getAttribute('sandbox')).toBe('');
  await shown.locator('#out').click();
  await shown.getByRole('button').click();
  // time enough for whatever begins by itself
  await page.waitForTimeout(1_500);
  expect(seen).toEqual([]);
  await expect(page).toHaveURL((url) => url.pathname === '/dashboard/templates/welcome/en');
});

for (const language of allLanguages) {
  test(`a text is worded, counted and saved (${language})`, async ({ page }) => {
    const words = (name: string, values: Record<string, string | number> = {}) => say(name, values, language);
    await enter(page, `/templates/sms-deliveryArriving/${language}`, language);
    const field = page.getByLabel(words('part.text'), { exact: true });
    await expect(page.getByTestId('text-preview')).toContainText('Alex');
    await expect(page.getByLabel(words('part.html'), { exact: true })).toHaveCount(0);
    await checkPage(page, language);
    await field.fill('{{mate_name}} ≈ {{company_name}}');
    await expect(page.getByTestId('text-preview')).toHaveText(/^Alex ≈ /);
    await page.getByRole('button', { name: text(language, 'action.save'), exact: true }).click();
    await expect(page.getByText(words('lead.changed'))).toBeVisible();
    await page.getByRole('button', { name: words('restore'), exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words('restore'), exact: true })
      .click();
    await expect(page.getByText(words('lead.shipped'))).toBeVisible();
    await expect(field).not.toHaveValue(/≈/);
  });

  test(`commercial mail is stopped by a press and comes again by another (${language})`, async ({ page }) => {
    const words = (name: string, values: Record<string, string> = {}) => text(language, `unsubscribe:${name}`, values);
    const to = `e2e-${randomUUID()}@example.test`;
    const asked = await page.request.post(`${server.url}/api/quotes`, {
      ...retrying,
      headers: { 'accept-language': language },
      data: { email: to, draft: '{}', bookingRequest: move(language) },
    });
    expect(asked.status(), await asked.text()).toBe(201);
    let link = '';
    await expect
      .poll(async () => {
        const [mail] = await mailsTo(page, to, server.url);
        if (!mail) return '';
        const told = await page.request.get(`${server.url}/simulators/mailbox/messages/${mail.id}`, retrying);
        link = /https?:\/\/[^\s"'<>\\]+\/unsubscribe\/[\w-]{43}\?lang=\w+/.exec(await told.text())?.[0] ?? '';
        return link;
      })
      .not.toBe('');
    await page.goto(link);
    await expect(page.getByRole('heading', { level: 1, name: words('title'), exact: true })).toBeVisible();
    await expect(page.getByTestId('not-stopped')).toContainText('e***@example.test');
    await checkPage(page, language);
    // by keyboard alone
    await page.getByTestId('say').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('stopped')).toBeFocused();
    await checkPage(page, language);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: words('stopped.title'), exact: true })).toBeVisible();
    await page.getByTestId('say').click();
    await expect(page.getByTestId('not-stopped')).toBeVisible();
    await page.goto(link.replace(/[\w-]{43}/, 'x'.repeat(43)));
    await expect(page.getByRole('heading', { level: 1, name: words('gone.title'), exact: true })).toBeVisible();
  });
}

/** A small move in Montréal, two weeks later. */
function move(language: Language) {
  const day = new Date(began);
  day.setUTCDate(day.getUTCDate() + 14);
  return {
    pickup: {
      country: 'Canada',
      province: 'QC',
      postalCode: 'H2X 1Y4',
      city: 'Montréal',
      street: '3500 Rue Saint-Urbain',
      fullAddress: '3500 Rue Saint-Urbain, Montréal, QC H2X 1Y4, Canada',
    },
    dropoff: {
      country: 'Canada',
      province: 'QC',
      postalCode: 'H4C 1K4',
      city: 'Montréal',
      street: '4100 Rue Notre-Dame Ouest',
    },
    pickupCoords: { lat: 45.5128, lon: -73.5716 },
    dropoffCoords: { lat: 45.478, lon: -73.585 },
    pickupFloor: 1,
    dropoffFloor: 0,
    pickupHasElevator: 0,
    dropoffHasElevator: 0,
    pickupHasParking: true,
    dropoffHasParking: true,
    date: day.toISOString().slice(0, 10),
    time: '09:00',
    bookingType: 'residential',
    selectedFurnitures: [{ id: 'couch-3-seats', quantity: 1 }],
    mateCount: 2,
    clientAsMate: false,
    justMates: false,
    rideAlong: false,
    guidelinesAgreed: true,
    language,
  };
}

for (const language of allLanguages)
  test(`no message is wider than a telephone (${language}) @desktop`, async ({ browser }) => {
    const desk = await office(browser, server.url);
    const page = await (await browser.newContext({ viewport: { width: 320, height: 700 } })).newPage();
    await everyMessage(desk, server.url, page, language, async (type) => {
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), type).toBeLessThanOrEqual(320);
      // what stands under a button does not stick to it
      const button = page.locator('table:has(> tbody > tr > td.button) + *');
      const gap = async () => {
        if ((await button.count()) === 0) return 16;
        return button.first().evaluate((next) => {
          const above = next.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
          return next.getBoundingClientRect().top - above;
        });
      };
      await expect.poll(gap, type).toBeGreaterThanOrEqual(16);
    });
    await page.context().close();
    await desk.page.context().close();
  });
