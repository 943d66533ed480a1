import { expect, type Page, test } from '@playwright/test';

import { bookedByPhone, office, sent } from '../support/office.ts';
import { checkPage } from '../support/page-checks.ts';
import { startServer, type TestServer, tuesdayMorning } from '../support/server.ts';
import { photographer } from '../support/shoot.ts';
import { allLanguages, type Language, text } from '../support/texts.ts';

const mate = 'mate@portage.test';
const say = (language: Language, key: string, values: Record<string, string | number> = {}) =>
  text(language, `ops/${key}`, values);

/** Tab by tab to the button of this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let tabs = 0; tabs < 150; tabs += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    );
    if (name.test(at.trim())) return;
  }
  throw new Error(`not reached: ${String(name)}`);
}

test.describe('the board', { tag: '@desktop' }, () => {
  let server: TestServer;
  test.beforeEach(async () => {
    server = await startServer(tuesdayMorning());
  });
  test.afterEach(async () => {
    await server.stop();
  });

  const days = (n: number) => new Date(tuesdayMorning().getTime() + n * 86_400_000);
  const board = (day: Date, rest = '') =>
    `${server.url}/dashboard/dispatch?hub=montreal&day=${day.toISOString().slice(0, 10)}${rest}`;

  test('ten jobs are assigned by keyboard alone', async ({ browser }) => {
    const desk = await office(browser, server.url);
    const { page } = desk;
    // two a day: the demo's people can do all of them
    const many = 10;
    for (let n = 0; n < many; n += 1)
      await bookedByPhone(desk, server.url, days(6 + Math.floor(n / 2)), `Caller${n}`, n % 2 === 0 ? '09:00' : '15:00');
    let done = 0;
    for (let day = 6; done < many && day < 6 + many; day += 1) {
      await page.goto(board(days(day)));
      const waiting = page.locator('[data-queue] [data-move]');
      const card = page.locator('[data-move]');
      await expect(page.locator('[data-queue]').or(page.getByText(say('en', 'dispatch:empty')))).toBeVisible();
      while (done < many && (await waiting.count()) > 0) {
        const left = await waiting.count();
        const id = await waiting.first().getAttribute('data-move');
        if (!(await waiting.first().evaluate((one) => one === document.activeElement)))
          await tabTo(page, /^Move .+ to…$/);
        await page.keyboard.press('Enter');
        await expect(page.getByRole('button', { name: say('en', 'dispatch:panel.suggest') })).toBeVisible();
        await tabTo(page, /^Choose the suggested crew$/);
        await page.keyboard.press('Enter');
        await expect(page.getByRole('button', { name: 'Send this crew' })).toBeEnabled();
        await tabTo(page, /^Send this crew$/);
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(waiting).toHaveCount(left - 1);
        await expect
          .poll(() => card.evaluateAll((all) => all.map((one) => one.getAttribute('data-move'))))
          .toContain(id);
        done += 1;
      }
    }
    expect(done).toBe(many);
    await page.context().close();
  });

  for (const language of allLanguages)
    test(`board, map and sick call in ${language}, light and dark, wide and narrow`, async ({ browser }) => {
      const desk = await office(browser, server.url);
      const { page } = desk;
      const day = days(6);
      const [first, second] = [
        await bookedByPhone(desk, server.url, day, 'Camille', '09:00'),
        await bookedByPhone(desk, server.url, day, 'Renaud', '14:00'),
      ];
      await bookedByPhone(desk, server.url, day, 'Solange', '10:00');
      await sent(desk, server.url, first, mate);
      const { crew } = (await sent(desk, server.url, second, mate)) as unknown as { crew: { name: string }[] };
      const name = crew[0]?.name ?? '';
      const shoot = photographer(page, `dispatch-${language}`);
      for (const [width, scheme] of [
        [1440, 'light'],
        [1440, 'dark'],
        [390, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await page.goto(board(day, `&lang=${language}`));
        await expect(page.locator('[data-queue] [data-move]').first()).toBeVisible();
        await checkPage(page, language);
        await shoot(`board-${width}-${scheme}`);
        await page.getByRole('button', { name: say(language, 'dispatch:span.map'), exact: true }).click();
        const route = page.getByRole('button', { name: say(language, 'dispatch:map.show', { name }) });
        await expect(route).toBeVisible();
        await checkPage(page, language);
        await shoot(`map-${width}-${scheme}`);
        await route.click();
        await expect(route).toHaveAttribute('aria-pressed', 'true');
        await checkPage(page, language);
        await shoot(`map-route-${width}-${scheme}`);
        await page.getByRole('button', { name: say(language, 'dispatch:span.day'), exact: true }).click();
        await page.getByRole('button', { name: say(language, 'dispatch:sick.of', { name }) }).click();
        await expect(page.getByRole('dialog').getByRole('combobox')).toHaveCount(2);
        await checkPage(page, language);
        await shoot(`sick-${width}-${scheme}`, 'window');
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
      // under a minute, on one page: written down, somebody else goes, everybody is told
      await page.getByRole('button', { name: say(language, 'dispatch:sick.of', { name }) }).click();
      // somebody free is proposed for each of their jobs
      await expect(page.getByRole('dialog').getByRole('combobox')).toHaveCount(2);
      await page.getByRole('button', { name: say(language, 'dispatch:sick.send') }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.context().close();
    });
});
