import { expect, test } from '@playwright/test';

import { text } from '../support/texts.ts';
import { heading, locations, start } from '../support/wizard.ts';

// before the comparison of crews is asked for, while it is on its way, and after it
for (const wait of [0, 300, 1500])
  test(`a press ${wait} ms after a heavy piece waits for the crew that it needs, and goes on`, async ({ page }) => {
    const walk = { page, language: 'en' as const };
    const say = (name: string) => text('en', name);
    await start(walk);
    await locations(walk);
    await heading(walk, 'move:title');
    await page.getByRole('searchbox').first().fill('piano');
    await page
      .getByRole('button', { name: /^(One more|Add).*grand piano/i })
      .first()
      .click();
    await page.waitForTimeout(wait);
    await page
      .getByRole('main')
      .getByRole('button', { name: say('move:next'), exact: true })
      .click();
    await heading(walk, 'schedule:title');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.goBack();
    await heading(walk, 'move:title');
    await expect(page.getByRole('radio', { name: /^4 mates/ })).toBeChecked();
  });
