import { expect, type Page, test } from '@playwright/test';

import { checkPage } from '../support/page-checks.ts';
import { checkWindow } from './check-window.ts';
import { photographer } from '../support/shoot.ts';
import { type Language, text } from '../support/texts.ts';

const sections = [
  'list',
  'tables',
  'filters',
  'drawer',
  'toasts',
  'tabs',
  'dates',
  'files',
  'palette',
  'states',
  'controls',
  'fields',
  'messages',
  'way',
  'dialogs',
];

/** What has to be opened to be seen; a picture of the window follows. */
const opened: Record<string, [name: string, open: (page: Page, language: Language) => Promise<void>][]> = {
  list: [
    [
      'selected',
      async (page) => {
        const boxes = page.locator('tbody input[type=checkbox]');
        await boxes.nth(1).click();
        await boxes.nth(4).click({ modifiers: ['Shift'] });
      },
    ],
    [
      'columns',
      (page, language) => page.getByRole('button', { name: text(language, 'desk:table.view'), exact: true }).click(),
    ],
    ['record', (page) => page.locator('[data-row-link]').nth(2).click()],
  ],
  filters: [
    [
      'add',
      (page, language) =>
        page
          .getByRole('button', { name: text(language, 'desk:filters.add'), exact: true })
          .first()
          .click(),
    ],
    ['choice', (page) => page.locator('li > button').first().click()],
    ['days', (page) => page.locator('li > button:not([data-chip-remove])').nth(2).click()],
  ],
  drawer: [
    [
      'form',
      async (page) => {
        await page.locator('main button').nth(1).click();
        await page.getByRole('dialog').locator('button[aria-haspopup]').click();
      },
    ],
    ['loading', (page) => page.locator('main button').nth(2).click()],
  ],
  toasts: [
    [
      'three',
      async (page) => {
        for (const button of await page.locator('main button').all()) await button.click();
      },
    ],
  ],
  files: [
    [
      'refused',
      (page) =>
        page
          .getByTestId('file-input')
          .first()
          .setInputFiles([
            { name: 'contract.docx', mimeType: 'application/msword', buffer: Buffer.from('x') },
            { name: 'scan-of-the-whole-binder.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(5_400_000) },
          ]),
    ],
  ],
  dialogs: [
    ...[0, 1, 2].map((n): [string, (page: Page) => Promise<void>] => [
      `dialog-${n}`,
      (page) => page.locator('main button').nth(n).click(),
    ]),
    ['panel', (page) => page.locator('main button').nth(3).click()],
    ['menu', (page) => page.locator('main button').nth(4).click()],
  ],
  palette: [
    ['open', (page) => page.locator('main button').first().click()],
    [
      'query',
      async (page, language) => {
        await page.locator('main button').first().click();
        await page.getByRole('combobox').fill({ en: 'book', fr: 'reser', zh: '预订' }[language]);
      },
    ],
    [
      'nothing',
      async (page) => {
        await page.locator('main button').first().click();
        await page.getByRole('combobox').fill('zzzz');
      },
    ],
  ],
};

/** What stands in a row that is drawn as a card and reaches past its edge. */
function beyondCards(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('tbody tr')]
      .filter((row) => ['grid', 'flex'].includes(getComputedStyle(row).display))
      .flatMap((row) => {
        const edge = row.getBoundingClientRect().right;
        const parts = [...row.querySelectorAll<HTMLElement>('td:not([class*=check]) *')];
        return parts.filter((part) => part.getBoundingClientRect().right > edge).map((part) => part.textContent ?? '');
      }),
  );
}

for (const language of ['en', 'fr', 'zh'] satisfies Language[]) {
  for (const section of sections) {
    test(`${section} ${language}`, async ({ page }, info) => {
      const shoot = photographer(page, `${section}-${language}-${info.project.name}`);
      const axe = ['320-light', '1440-dark'].includes(info.project.name);
      const open = () => page.goto(`/?show=${section}&lang=${language}`);
      await open();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await shoot('page');
      if (axe) await checkPage(page);
      expect(await beyondCards(page), 'values that stand beyond their card').toEqual([]);
      for (const [name, act] of opened[section] ?? []) {
        await open();
        await act(page, language);
        await page.waitForTimeout(300);
        await shoot(name, 'window');
        if (axe) await checkWindow(page);
      }
    });
  }
}
