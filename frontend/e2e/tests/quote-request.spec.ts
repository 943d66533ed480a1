import { randomUUID } from 'node:crypto';

import { type Browser, expect, type Page, test, type TestInfo } from '@playwright/test';

import { mailsTo } from '../support/account.ts';
import { draftKey } from '../support/draft.ts';
import { ops } from '../support/office.ts';
import { checkPage } from '../support/page-checks.ts';
import { startServer, type TestServer, tuesdayMorning } from '../support/server.ts';
import { photographer } from '../support/shoot.ts';
import { signedIn } from '../support/signed-in.ts';
import { allLanguages, type Language, text } from '../support/texts.ts';
import { heading, locations, type Walk } from '../support/wizard.ts';

let server: TestServer;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startServer(tuesdayMorning());
});
test.afterAll(async () => {
  await server.stop();
});

/** From the start to the kind of move, with a hot tub: which no wizard books. */
async function toTheWarning(walk: Walk): Promise<void> {
  const { page, language } = walk;
  await page.goto(`${server.url}/locations?lang=${language}`);
  await locations(walk);
  await heading(walk, 'move:title');
  await page.evaluate((key) => {
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as { revision: number; draft: object };
    const draft = { ...kept.draft, selectedFurnitures: [{ id: 'hot-tub', quantity: 1 }] };
    localStorage.setItem(key, JSON.stringify({ ...kept, revision: kept.revision + 1, draft }));
  }, draftKey);
  await page.goto(`${server.url}/move-type?lang=${language}`);
  await heading(walk, 'move:title');
}

/** Asks a person from the warning, and answers who asked. */
async function asked(walk: Walk, shoot: (name: string, part?: 'page' | 'window') => Promise<void>): Promise<string> {
  const { page, language } = walk;
  const say = (name: string, values = {}) => text(language, name, values);
  const id = randomUUID().slice(0, 8);
  await page
    .getByRole('button', { name: say('ask:title') })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: say('ask:title') });
  await expect(dialog.getByLabel(say('askForm:name'))).toBeVisible();
  await checkPage(page, language);
  await shoot('asking', 'window');
  await dialog.getByRole('button', { name: say('askForm:send') }).click();
  await expect(dialog.getByRole('alert')).toBeFocused();
  await checkPage(page, language);
  await shoot('lacking', 'window');
  await dialog.getByLabel(say('askForm:name')).fill(`Ana Roy-${id}`);
  await dialog.getByLabel(say('person:email')).fill(`ask-${id}@example.test`);
  await dialog.getByLabel(say('person:phone')).fill(`514 55${Math.floor(1e5 + Math.random() * 9e4)}`.slice(0, 11));
  await dialog.getByLabel(say('askForm:callAt')).selectOption('morning');
  await dialog.getByRole('button', { name: say('askForm:send') }).click();
  await expect(dialog.getByText(say('askForm:sent.title', { name: `Ana Roy-${id}` }))).toBeVisible();
  await checkPage(page, language);
  await shoot('sent', 'window');
  await dialog.getByRole('button', { name: say('askForm:done') }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await mailsTo(page, `ask-${id}@example.test`, server.url)).length).toBe(1);
  return id;
}

async function deskOf(browser: Browser, language: Language, at: TestInfo): Promise<Page> {
  const { viewport, colorScheme } = at.project.use;
  const context = await browser.newContext({
    ...(viewport ? { viewport } : {}),
    ...(colorScheme ? { colorScheme } : {}),
  });
  const page = await context.newPage();
  await signedIn(page, language, ops, server.url);
  await page.goto(`${server.url}/dashboard/quote-requests`);
  await expect(page.getByRole('heading', { level: 1, name: text(language, 'ops/shell:area.requests') })).toBeVisible();
  return page;
}

for (const [turn, language] of allLanguages.entries()) {
  test(`what nobody can book online reaches a person and becomes a booking (${language})`, async ({
    page,
    browser,
  }, at) => {
    const shoot = photographer(page, `quote-request-${at.project.name}-${language}`);
    const walk = { page, language };
    await toTheWarning(walk);
    await expect(page.getByRole('button', { name: text(language, 'ask:title') }).first()).toBeVisible();
    await checkPage(page, language);
    await shoot('warning');
    const id = await asked(walk, shoot);

    const desk = await deskOf(browser, language, at);
    const shootThere = photographer(desk, `quote-request-${at.project.name}-${language}-desk`);
    const say = (name: string, values = {}) => text(language, `ops/${name}`, values);
    const name = `Ana Roy-${id}`;
    // the first step: it is found, and taken
    await expect(desk.getByRole('link', { name })).toBeVisible();
    await checkPage(desk, language);
    await shootThere('list');
    await desk.getByRole('link', { name }).click();
    await expect(desk.getByRole('heading', { level: 1, name: say('requests:title', { name }) })).toBeVisible();
    await expect(desk.getByText(say('requests:why.heavy_items'))).toBeVisible();
    await checkPage(desk, language);
    await shootThere('record');
    // the second: the order form with everything that was said
    await desk.getByRole('button', { name: say('requests:act.book') }).click();
    await expect(desk.getByText(say('order:request.title', { name }))).toBeVisible();
    await expect(desk.locator('#order-email')).toHaveValue(`ask-${id}@example.test`);
    // with its price, and the button that waits for it
    await expect(desk.getByTestId('total')).toHaveText(/\d/);
    await expect(desk.locator('form button[type="submit"]').last()).toBeEnabled();
    await checkPage(desk, language);
    await shootThere('order');
    const days = desk.getByRole('group', { name: say('order:when.days') }).locator('button[data-free]');
    await days.nth(3 + turn).click();
    await desk.locator('input[name="start"]').first().check();
    await desk.getByRole('checkbox', { name: say('order:terms.agreed') }).check();
    await expect(desk.getByTestId('total')).toHaveText(/\d/);
    // the third: it is booked
    await desk.locator('form button[type="submit"]').last().click();
    await expect(desk).toHaveURL(/\/bookings\/[\da-f-]{36}$/);
    const record = desk.url();
    await desk.goto(`${server.url}/dashboard/quote-requests?state=booked&lang=${language}`);
    await desk.getByRole('link', { name }).click();
    const booked = desk.getByRole('link', { name: new RegExp(`^${say('requests:booked', { code: '[A-Z0-9]{6}' })}$`) });
    await expect(booked).toBeVisible();
    await checkPage(desk, language);
    await shootThere('booked');
    await booked.click();
    await expect(desk).toHaveURL(record);
    await desk.context().close();
  });
}
