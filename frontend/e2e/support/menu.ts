import { expect, type Locator, type Page } from '@playwright/test';

import { type Language, text } from './texts.ts';

/** Language, colours and account: in the rail of a wide window, else in the header's menu, which is opened. */
export async function openMenu(page: Page, language: Language): Promise<Locator> {
  const button = page.getByRole('button', { name: text(language, 'shell:menu'), exact: true });
  const rail = page.getByRole('region', { name: text(language, 'widget.label') });
  // a title may stand there before the app has come: one of the two is drawn with it
  await expect(button.or(rail).first()).toBeVisible();
  if (!(await button.isVisible())) return rail;
  await button.click();
  return page.getByRole('region', { name: text(language, 'shell:menu') });
}
