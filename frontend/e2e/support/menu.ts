import type { Locator, Page } from '@playwright/test';

import { type Language, text } from './texts.ts';

/** Language, colours and account: in the rail of a wide window, else in the header's menu, which is opened. */
export async function openMenu(page: Page, language: Language): Promise<Locator> {
  const button = page.getByRole('button', { name: text(language, 'shell:menu'), exact: true });
  if (!(await button.isVisible())) return page.getByRole('region', { name: text(language, 'widget.label') });
  await button.click();
  return page.getByRole('region', { name: text(language, 'shell:menu') });
}
