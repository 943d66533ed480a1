import { expect, type Page } from '@playwright/test';

import { bookedByPhone, type Desk } from './office.ts';
import { retrying } from './retrying.ts';
import { tuesdayMorning } from './server.ts';
import type { Language } from './texts.ts';

/** Shows every message of one booking on `page`, one after the other, as a mail client does; a text as its words. */
export async function everyMessage(
  desk: Desk,
  url: string,
  page: Page,
  language: Language,
  look: (type: string) => Promise<void>,
): Promise<void> {
  const ask = { ...retrying, headers: desk.headers };
  const day = new Date(tuesdayMorning().getTime() + 6 * 86_400_000);
  const bookingId = await bookedByPhone(desk, url, day, 'Camille');
  const listed = await desk.request.get(`${url}/api/templates`, ask);
  const { data } = (await listed.json()) as { data: { messageType: string }[] };
  const types = new Set(data.map((one) => one.messageType));
  expect(types.size).toBeGreaterThan(30);
  for (const type of types) {
    const path = `${url}/api/templates/${type}/${language}/preview`;
    const shown = await desk.request.post(path, { ...ask, data: { bookingId } });
    expect(shown.status(), await shown.text()).toBe(200);
    const { html, text } = (await shown.json()) as { html: string; text: string };
    await page.setContent(html || '<pre style="white-space: pre-wrap; font: 16px sans-serif"></pre>');
    if (!html) await page.locator('pre').evaluate((pre, words) => pre.append(words), text);
    await look(type);
  }
}
