import type { components } from '@portage/api';
import { expect, type Route, test } from '@playwright/test';

import { signIn } from '../support/account.ts';
import { measureDrawn, printDrawn } from './drawn.ts';

const ops = { email: 'ops@portage.test', password: 'portage-demo-2027' };
const runs = 9;
/** From the answer that the board needs to its cards on screen, milliseconds. */
const mustStayBelow = 200;
const [jobs, mates] = [200, 40];
const day = '2027-07-01';

type Board = components['schemas']['DispatchBoard'];
type Job = Board['jobs'][number];

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const instant = (minutes: number) => new Date(Date.parse(`${day}T04:00:00Z`) + minutes * 60_000).toISOString();

/** A day on which every second job has its crew of two, and the others lack people. */
function fullBoard(empty: Board): Board {
  const people = Array.from({ length: mates }, (_, n) => ({ id: `mate-${n}`, name: `Mate ${n}`, away: [] }));
  const on = (n: number) => ({ mateId: `mate-${n % mates}`, name: `Mate ${n % mates}` });
  const all = Array.from({ length: jobs }, (_, n): Job => {
    const start = 8 * 60 + (n % 5) * 120;
    return {
      id: `job-${n}`,
      shortId: `J${String(n).padStart(5, '0')}`,
      status: n % 2 === 0 ? 'assigned' : 'pending',
      hub: 'montreal',
      customerName: `Customer ${n}`,
      moveKind: 'residential',
      date: day,
      time: clock(start),
      endTime: clock(start + 90),
      zone: 'America/Toronto',
      startsAt: instant(start),
      endsAt: instant(start + 90),
      occupiedFrom: instant(start - 45),
      occupiedUntil: instant(start + 120),
      durationMinutes: 90,
      mateCount: 2,
      truckSize: '20ft',
      pickup: { address: '1 Rue A', city: 'Laval', coords: { lat: 45.6, lon: -73.7 + n / 1000 } },
      dropoff: { address: '2 Rue B', city: 'Montréal', coords: { lat: 45.5, lon: -73.6 + n / 1000 } },
      crew: n % 2 === 0 ? [on(n), on(n + 1)] : [],
      truck: null,
      conflicts: n % 2 === 0 ? [{ code: 'no_truck', who: null, other: null }] : [],
    };
  });
  const unassigned = all.filter(({ crew }) => crew.length === 0).map(({ id }) => id);
  return { ...empty, jobs: all, mates: people, trucks: [], unassigned };
}

test('the board of a day with 200 jobs and 40 mates', async ({ page }) => {
  await page.goto('/dashboard/dispatch?lang=en');
  await signIn(page, 'en', ops);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.route(/\/api\/dispatch\?/, async (route: Route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: fullBoard((await answer.json()) as Board) });
  });
  // a job that has its crew stands with each of its two mates
  const took = await measureDrawn(page, {
    address: `/dashboard/dispatch?hub=montreal&day=${day}`,
    selector: '[data-move]',
    wanted: jobs / 2 + (jobs / 2) * 2,
    answers: '/api/dispatch\\?',
    runs,
  });
  printDrawn('the board of 200 jobs and 40 mates', took, mustStayBelow);
});
