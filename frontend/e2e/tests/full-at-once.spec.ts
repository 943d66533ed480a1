import { expect, test } from '@playwright/test';

import { newPerson, signUpFrom } from '../support/account.ts';
import { fillCard, paymentReady } from '../support/checkout.ts';
import { checkPage } from '../support/page-checks.ts';
import { retrying } from '../support/retrying.ts';
import { startServer, type TestServer, tuesdayMorning } from '../support/server.ts';
import { text } from '../support/texts.ts';
import { guidelines, heading, locations, moveType, quote, start } from '../support/wizard.ts';

const language = 'en' as const;

interface Transaction {
  status: string;
}

// a clock and a gateway of its own: what is queued here must not reach other tests
test.describe('a move within 48 hours', () => {
  let server: TestServer;
  const now = tuesdayMorning();

  test.beforeAll(async () => {
    server = await startServer(now);
  });
  test.afterAll(() => server.stop());

  test('is charged at once; a refused charge books nothing, and a second try charges once', async ({ browser }) => {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1440, height: 900 },
      colorScheme: 'dark',
      locale: 'en-CA',
      timezoneId: 'America/Toronto',
    });
    const page = await context.newPage();
    await page.clock.install({ time: now });
    const walk = { page, language };
    await start(walk);
    await locations(walk);
    await moveType(walk);
    await heading(walk, 'schedule:title');
    await page.locator('td button[data-state="open"]').first().click();
    await page.locator('label:has(input[name="slot"])').first().click();
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await page.getByRole('button', { name: text(language, 'schedule:next') }).click();
    await quote(walk);
    await guidelines(walk);
    await signUpFrom(walk, newPerson());
    await paymentReady(walk);
    await expect(page.getByTestId('pay')).toHaveText(/^Pay \$[\d,.]+ now$/);
    await expect(
      page.getByText(text(language, 'domain:term.fullAtOnce', { lockNext: 'the next 48 hours' })),
    ).toBeVisible();

    const queued = await page.request.post('/simulators/braintree/control', {
      ...retrying,
      data: { operation: 'charge', outcome: 'soft_decline' },
    });
    expect(queued.ok()).toBe(true);
    await fillCard(walk);
    await page.getByTestId('pay').click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(text(language, 'payment:booking.failed'));
    await expect(alert).toContainText(text(language, 'payment:kept.notBooked'));
    await checkPage(page);

    // the card is kept by now; the bank accepts it the second time
    await expect(page.getByRole('radio', { name: /Visa ending in 1111/ })).toBeChecked();
    await page.getByTestId('pay').click();
    await expect(page.getByTestId('short-id')).toBeVisible();
    const answer = (await (await page.request.get('/simulators/braintree/transactions', retrying)).json()) as {
      data?: Transaction[];
      transactions?: Transaction[];
    };
    const made = (answer.data ?? answer.transactions ?? []).filter((one) => !/declin|fail/i.test(one.status));
    expect(made).toHaveLength(1);
    await context.close();
  });
});
