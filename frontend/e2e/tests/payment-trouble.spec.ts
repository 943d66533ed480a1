import { expect, type Page, test } from '@playwright/test';

import { newPerson } from '../support/account.ts';
import { fillCard, goodCard, pay, paymentReady, refusedCard } from '../support/checkout.ts';
import { draftAMove, draftKey } from '../support/draft.ts';
import { checkPage } from '../support/page-checks.ts';
import { retrying } from '../support/retrying.ts';
import { startServer, tuesdayMorning } from '../support/server.ts';
import { text } from '../support/texts.ts';

const language = 'en' as const;

interface StoredDraft {
  date: string;
  time: string;
  mateCount: number;
  justMates: boolean;
  ends: { pickup: { place: { address: Record<string, string> } } };
  hold: { id: string } | null;
  selectedFurnitures: unknown[];
}

const draftOf = (page: Page) =>
  page.evaluate((key) => (JSON.parse(localStorage.getItem(key) ?? '{}') as { draft: StoredDraft }).draft, draftKey);

test('a declined card keeps everything, and another card books', async ({ page }) => {
  const walk = { page, language };
  await draftAMove(walk, { person: newPerson() });
  await paymentReady(walk);
  await fillCard(walk, refusedCard);
  await page.getByTestId('pay').click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(text(language, 'payments:card.refused'));
  await expect(alert).toContainText(text(language, 'payments:payment.declined'));
  await checkPage(page);
  await expect(page.getByLabel(text(language, 'payments:card.name'))).toHaveValue('Ana Roy');
  await page.getByLabel(text(language, 'payments:card.number'), { exact: true }).fill(goodCard);
  await page.getByTestId('pay').click();
  await expect(page.getByTestId('short-id')).toBeVisible();
});

test('a card service that fails is told, nothing typed is lost, and trying again goes through', async ({ page }) => {
  const walk = { page, language };
  await draftAMove(walk, { person: newPerson() });
  await paymentReady(walk);
  // the card of this person only: storing it never reaches the gateway's first answer
  let failures = 1;
  await page.route('**/api/payment', async (route) => {
    if (failures > 0) {
      failures -= 1;
      await route.abort('connectionreset');
    } else await route.fallback();
  });
  await fillCard(walk);
  await page.getByTestId('pay').click();
  await expect(page.getByRole('alert')).toContainText(text(language, 'error.network'));
  await expect(page.getByLabel(text(language, 'payments:card.number'), { exact: true })).toHaveValue(goodCard);
  await page.getByTestId('pay').click();
  await expect(page.getByTestId('short-id')).toBeVisible();
});

test('a booking whose answer got lost is found again and made once, across a reload', async ({ page }) => {
  const walk = { page, language };
  await draftAMove(walk, { person: newPerson() });
  await paymentReady(walk);
  const keys: (string | undefined)[] = [];
  let broken = true;
  await page.route('**/api/bookings', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (!broken) return route.fallback();
    // it arrives and is carried out; only the answer is lost
    await route.fetch().catch(() => {});
    return route.abort('connectionreset');
  });
  await fillCard(walk);
  await page.getByTestId('pay').click();
  await expect(
    page.getByRole('heading', { level: 1, name: text(language, 'payment:unanswered.title'), exact: true }),
  ).toBeVisible({ timeout: 30_000 });
  await checkPage(page);
  broken = false;
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: text(language, 'checkout:unanswered.check') }).click();
  await expect(page.getByTestId('short-id')).toBeVisible();
  expect(new Set(keys).size).toBe(1);
  expect(keys.length).toBeGreaterThan(1);
  await page.goto('/profile/bookings');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
});

test('a gateway that does not answer in time is told, and card and charge are made once', async ({ browser }) => {
  // a gateway of its own, for what is queued here must not reach other tests; and a move so near that it is charged now
  const now = tuesdayMorning();
  const server = await startServer(now);
  const context = await browser.newContext({ baseURL: server.url, timezoneId: 'America/Toronto', locale: 'en-CA' });
  try {
    const page = await context.newPage();
    await page.clock.install({ time: now });
    const walk = { page, language };
    const silence = (operation: string, outcome: string) =>
      page.request.post('/simulators/braintree/control', { ...retrying, data: { operation, outcome } });
    await draftAMove(walk, { person: newPerson(), earliest: new Date(now.getTime() + 86_400_000), days: 1 });
    await paymentReady(walk);
    await fillCard(walk);

    expect((await silence('vault', 'timeout_not_applied')).ok()).toBe(true);
    await page.getByTestId('pay').click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(text(language, 'payments:card.notChecked'), { timeout: 30_000 });
    await expect(alert).toContainText(text(language, 'payments:gateway.noAnswer'));
    await expect(alert).toContainText(text(language, 'payment:kept.notCharged'));
    await checkPage(page);
    for (const [name, value] of [
      ['payments:card.number', goodCard],
      ['payments:card.name', 'Ana Roy'],
    ] as const)
      await expect(page.getByLabel(text(language, name), { exact: true })).toHaveValue(value);

    // now the card is stored, and it is the answer about the charge that gets lost
    expect((await silence('charge', 'timeout_applied')).ok()).toBe(true);
    await page.getByTestId('pay').click();
    await expect(page.getByTestId('short-id')).toBeVisible({ timeout: 60_000 });
    const { queued } = (await (await page.request.get('/simulators/braintree/control', retrying)).json()) as {
      queued: unknown[];
    };
    expect(queued, 'both silences were kept').toEqual([]);
    const made = (await (await page.request.get('/simulators/braintree/transactions', retrying)).json()) as {
      data: unknown[];
    };
    expect(made.data).toHaveLength(1);
    await page.goto('/profile/bookings');
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  } finally {
    await context.close();
    await server.stop();
  }
});

test('a time lost to other customers leads back to the schedule with everything kept', async ({
  browser,
  playwright,
}) => {
  // a browser keeps one time and an address a part of a day: the others come through a proxy, each from elsewhere
  const server = await startServer(undefined, { PORTAGE_BEHIND_PROXY: 'true' });
  const context = await browser.newContext({ baseURL: server.url, timezoneId: 'America/Toronto', locale: 'en-CA' });
  const page = await context.newPage();
  const walk = { page, language };
  let duration = 0;
  let extended = '';
  page.on('response', async (response) => {
    extended = /\/holds\/([^/]+)\/extend$/.exec(response.url())?.[1] ?? extended;
    if (!response.url().endsWith('/api/booking/estimate') || !response.ok()) return;
    const estimate = (await response.json().catch(() => null)) as { duration: number } | null;
    duration = estimate?.duration ?? duration;
  });
  await draftAMove(walk, { person: newPerson() });
  await paymentReady(walk);
  await expect.poll(() => duration).toBeGreaterThan(0);
  // the page takes a start for this person by itself, beside the form, and asks for it to be kept longer: while either is on
  // its way, a start that was given back would be taken once more
  await expect.poll(async () => (await draftOf(page)).hold?.id === extended).toBe(true);
  const draft = await draftOf(page);
  await page.request.delete(`/api/holds/${draft.hold?.id ?? ''}`, retrying);
  // other customers take the same start until nothing is left of it
  let status = 201;
  for (let n = 0; n < 60 && status === 201; n += 1) {
    const other = await playwright.request.newContext({
      baseURL: server.url,
      extraHTTPHeaders: { 'X-Forwarded-For': `203.0.113.${n + 1}` },
    });
    const answer = await other.post('/api/holds', {
      data: {
        date: draft.date,
        time: draft.time,
        mateCount: draft.mateCount,
        duration,
        justMates: draft.justMates,
        pickupAddress: draft.ends.pickup.place.address,
      },
    });
    status = answer.status();
    await other.dispose();
  }
  expect(status).toBe(409);
  await fillCard(walk);
  await page.getByTestId('pay').click();
  await expect(
    page.getByRole('heading', { level: 1, name: text(language, 'schedule:title'), exact: true }),
  ).toBeVisible();
  await expect(page.getByText(text(language, 'schedule:schedule.slotGone'))).toBeVisible();
  await checkPage(page);
  await expect.poll(async () => (await draftOf(page)).time).toBeNull();
  const after = await draftOf(page);
  expect(after.selectedFurnitures).toEqual(draft.selectedFurnitures);
  await context.close();
  await server.stop();
});

test('a tab left at the payment says what another tab has booked', async ({ page }) => {
  const walk = { page, language };
  await draftAMove(walk, { person: newPerson() });
  await paymentReady(walk);
  const left = await page.context().newPage();
  await left.goto('/payment');
  await expect(left.getByRole('heading', { level: 1 })).toBeVisible();
  await fillCard(walk);
  await page.getByTestId('pay').click();
  await expect(page.getByTestId('short-id')).toHaveText(/\w/);
  const shortId = await page.getByTestId('short-id').innerText();
  await expect(left.getByRole('heading', { level: 1, name: text(language, 'payment:already.title') })).toBeVisible();
  await expect(left.getByRole('main')).toContainText(shortId);
});

test('a booking can be cancelled, and the question names the consequence', async ({ page }) => {
  const walk = { page, language };
  await draftAMove(walk, { person: newPerson() });
  await pay(walk);
  await page.getByRole('link', { name: text(language, 'confirmation:change.see') }).click();
  await page.getByRole('button', { name: text(language, 'bookings:cancel.open') }).click();
  const dialog = page.getByRole('dialog', { name: text(language, 'bookings:booking.cancelConfirm') });
  await expect(dialog).toContainText(/Cancellation is free until/);
  await checkPage(page);
  await dialog.getByRole('button', { name: text(language, 'bookings:cancel.confirm') }).click();
  await expect(page.getByText(text(language, 'domain:bookingStatus.cancelled'), { exact: true })).toBeVisible();
  await expect(page.getByText(text(language, 'bookings:cancelled.nothingKept'))).toBeVisible();
  await checkPage(page);
});

test('paying by keyboard alone', async ({ page }) => {
  const walk = { page, language };
  await draftAMove(walk, { person: newPerson() });
  await paymentReady(walk);
  const tabTo = async (name: string) => {
    const field = page.getByLabel(text(language, name), { exact: true });
    for (
      let tabs = 0;
      tabs < 40 && !(await field.evaluate((element) => element === document.activeElement));
      tabs += 1
    ) {
      await page.keyboard.press('Tab');
    }
    await expect(field).toBeFocused();
  };
  await tabTo('payments:card.number');
  await page.keyboard.type('4111111111111111');
  await tabTo('payments:card.expiry');
  await page.keyboard.type('1230');
  await tabTo('payments:card.cvc');
  await page.keyboard.type('123');
  await tabTo('payments:card.name');
  await page.keyboard.type('Ana Roy');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('short-id')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
