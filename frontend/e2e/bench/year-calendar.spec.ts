import type { components } from '@portage/api';
import { expect, type Route, test } from '@playwright/test';

import { signIn } from '../support/account.ts';
import { measureDrawn, printDrawn } from './drawn.ts';

const ops = { email: 'ops@portage.test', password: 'portage-demo-2027' };
const runs = 9;
/** From the last answer that the year needs to its 365 days on screen, milliseconds. */
const mustStayBelow = 150;

type Days = components['schemas']['CalendarDays'];

/** The same year with something to draw on each day: how full it is, and every sign there is. */
async function busyYear(route: Route): Promise<void> {
  const answer = await route.fetch();
  const year = (await answer.json()) as Days;
  const days = year.days.map((day, n) => ({
    ...day,
    taken: { ...day.taken, mates: n % (day.offered.mates + 2) },
    absent: { ...day.absent, mates: n % 3 },
    override: n % 2 === 0 ? (day.override ?? { reason: 'Moving day' }) : day.override,
    holiday: n % 28 === 0 ? (day.holiday ?? { name: 'Saint-Jean-Baptiste' }) : day.holiday,
  }));
  await route.fulfill({ response: answer, json: { ...year, days } });
}

test('the year of a hub at the desk', async ({ page }) => {
  await page.goto('/dashboard/calendar?lang=en');
  await signIn(page, 'en', ops);
  await expect(page.locator('button[data-day]').first()).toBeVisible();
  await page.route(/\/api\/calendar\/montreal\?/, busyYear);
  const took = await measureDrawn(page, {
    address: '/dashboard/calendar?year=2027',
    selector: 'button[data-day]',
    wanted: 365,
    answers: '/api/calendar/montreal(?:\\?|/week)',
    runs,
  });
  for (const { answers } of took) expect(answers, 'the year and the week').toBe(2);
  printDrawn("the desk's year", took, mustStayBelow);
});
