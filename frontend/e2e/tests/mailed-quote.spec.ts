import { randomUUID } from 'node:crypto';

import { expect, type Page, test } from '@playwright/test';

import { mailsTo } from '../support/account.ts';
import { checkPage } from '../support/page-checks.ts';
import { retrying } from '../support/retrying.ts';
import { startServer, type TestServer, tuesdayMorning } from '../support/server.ts';
import { photographer } from '../support/shoot.ts';
import { allLanguages, type Language, text } from '../support/texts.ts';
import { heading, locations, moveType, schedule, type Walk } from '../support/wizard.ts';

let server: TestServer;
const began = tuesdayMorning();
test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startServer(began);
});
test.afterAll(async () => {
  await server.stop();
});

const link = /https?:\/\/[^\s"'<>\\]+\/saved\/[\w-]{43}/;
/** The digits of an amount, so that two ways of writing it can be compared. */
const digits = (amount: string | null | undefined) => (amount ?? '').replaceAll(/\D/g, '');

/** From the start to the quote, on the server with a clock of its own; the move is weeks away. */
async function toQuote(walk: Walk): Promise<void> {
  const { page, language } = walk;
  await page.goto(`${server.url}/locations?lang=${language}`);
  // looked at on the way, which also waits for what moves the page when it comes
  await locations({ ...walk, check: true });
  await moveType(walk);
  await schedule(walk, 'last');
  await heading(walk, 'quote:title');
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
}

/** Has the quote mailed, and answers the link that came. */
async function mailed(page: Page, language: Language): Promise<string> {
  const to = `e2e-${randomUUID()}@example.test`;
  const part = page.getByRole('region', { name: text(language, 'quote:mail.title') });
  await part.getByRole('button', { name: text(language, 'quote:mail.title'), exact: true }).click();
  const field = part.getByLabel(text(language, 'person:email'), { exact: true });
  await expect(field).toBeFocused();
  await field.fill(to);
  await part.getByRole('button', { name: text(language, 'quote:mail.action'), exact: true }).click();
  await expect(part.getByText(to)).toBeVisible();
  await checkPage(page, language);
  let found = '';
  await expect
    .poll(async () => {
      const [mail] = await mailsTo(page, to, server.url);
      if (!mail) return '';
      const told = await page.request.get(`${server.url}/simulators/mailbox/messages/${mail.id}`, retrying);
      found = link.exec(await told.text())?.[0] ?? '';
      return found;
    })
    .not.toBe('');
  return found;
}

/** The running estimate, once it answers the draft. */
async function total(page: Page): Promise<string> {
  await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
  return digits(await page.getByTestId('estimate').textContent());
}

for (const language of allLanguages) {
  test(`a guest's mailed quote leads back to the same move and price (${language})`, async ({ page, browser }, at) => {
    const shoot = photographer(page, `mailed-quote-${at.project.name}-${language}`);
    await toQuote({ page, language });
    const before = await total(page);
    const address = await mailed(page, language);
    await shoot('quote-mailed');

    // another browser, where nothing of the move is kept
    const context = await browser.newContext(at.project.use.viewport ? { viewport: at.project.use.viewport } : {});
    const other = await context.newPage();
    const shootThere = photographer(other, `mailed-quote-${at.project.name}-${language}-there`);
    await other.goto(`${address}?lang=${language}`);
    const walk = { page: other, language };
    await heading(walk, 'savedQuote:title');
    await expect(other.getByTestId('total')).toHaveText(/\d/);
    expect(before).toContain(digits(await other.getByTestId('total').textContent()));
    await checkPage(other, language);
    await shootThere('link');
    await other.getByTestId('take-up').click();
    await heading(walk, 'quote:title');
    await expect(other.getByTestId('kept-price')).toHaveAttribute('data-holds', 'true');
    expect(await total(other)).toBe(before);
    await checkPage(other, language);
    await shootThere('taken-up');

    // it survives a reload, and a stranger's guess finds nothing
    await other.reload();
    await expect(other.getByTestId('kept-price')).toHaveAttribute('data-holds', 'true');
    const guess = await context.request.get(`${server.url}/api/quotes/${'x'.repeat(43)}`, retrying);
    expect(guess.status()).toBe(404);
    await other.goto(`${server.url}/saved/${'x'.repeat(43)}?lang=${language}`);
    await heading(walk, 'savedQuote:gone.title');
    await checkPage(other, language);
    await context.close();
  });
}

for (const language of allLanguages) {
  test(`a quote is not sent to who wants none, which is said (${language})`, async ({ page }, at) => {
    const shoot = photographer(page, `withheld-quote-${at.project.name}-${language}`);
    await toQuote({ page, language });
    const to = `e2e-${randomUUID()}@example.test`;
    const part = page.getByRole('region', { name: text(language, 'quote:mail.title') });
    await part.getByRole('button', { name: text(language, 'quote:mail.title'), exact: true }).press('Enter');
    const field = part.getByLabel(text(language, 'person:email'), { exact: true });
    await field.fill(to);
    await field.press('Enter');
    await expect(part.getByText(to)).toBeVisible();
    let token = '';
    await expect
      .poll(async () => {
        const [mail] = await mailsTo(page, to, server.url);
        if (!mail) return '';
        const told = await page.request.get(`${server.url}/simulators/mailbox/messages/${mail.id}`, retrying);
        token = /\/unsubscribe\/([\w-]{43})/.exec(await told.text())?.[1] ?? '';
        return token;
      })
      .not.toBe('');
    const stopped = await page.request.post(`${server.url}/api/unsubscribe/${token}/one-click`, {
      form: { 'List-Unsubscribe': 'One-Click' },
      ...retrying,
    });
    expect(stopped.status()).toBe(204);

    // typed anew, and sent by the keyboard alone
    await field.fill('');
    await field.pressSequentially(to);
    await field.press('Enter');
    const said = part.getByRole('status').filter({ hasText: text(language, 'quote:mail.withheld', { email: to }) });
    await expect(said).toBeFocused();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await checkPage(page, language);
      await shoot(`withheld-${colorScheme}`);
    }
    expect(await mailsTo(page, to, server.url)).toHaveLength(1);
  });
}

test('a link says that its quote has lapsed, and goes on at the price of today', async ({ page }) => {
  const language = 'en';
  await toQuote({ page, language });
  const address = await mailed(page, language);
  server.setClock(new Date(began.getTime() + 8 * 24 * 3600 * 1000));
  await page.goto(`${address}?lang=${language}`);
  await heading({ page, language }, 'savedQuote:lapsed.title');
  await checkPage(page, language);
  await page.getByTestId('take-up').click();
  await heading({ page, language }, 'quote:title');
  await expect(page.getByTestId('kept-price')).toHaveCount(0);
  server.setClock(began);
});
