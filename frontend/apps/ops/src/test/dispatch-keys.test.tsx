import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import type { DispatchBoard } from '../features/dispatch/types.ts';
import { person, someBoard, someJob } from './dispatch-world.ts';
import { open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();

const many = 10;
let board: DispatchBoard;
let named: { id: string; mates: string[] }[];

beforeEach(() => {
  signedInAs('ops');
  named = [];
  board = someBoard(
    Array.from({ length: many }, (_, n) =>
      someJob({ id: `job-${String(n)}`, shortId: `JOB${String(n)}X`, mateCount: 1 }),
    ),
  );
  server.use(
    http.get('*/api/dispatch', () => HttpResponse.json(board)),
    http.get('*/api/bookings/:id/crew/suggestions', () =>
      HttpResponse.json({
        wanted: 1,
        mates: board.mates.slice(0, 2).map(({ id, name }, n) => ({
          id,
          name,
          onIt: false,
          away: false,
          taken: null,
          suggested: n === 0,
          free: true,
          reasons: ['free'],
          ended: [],
          jobsThatDay: 0,
          minutesThatWeek: 0,
          wayMinutes: 5,
        })),
        trucks: [],
      }),
    ),
    http.put('*/api/bookings/:id/crew', async ({ params, request }) => {
      const id = String(params['id']);
      const { mates } = (await request.json()) as { mates: string[] };
      named.push({ id, mates });
      board = someBoard(
        board.jobs.map((job) =>
          job.id === id ? { ...job, status: 'assigned' as const, crew: mates.map((mate) => person(mate, mate)) } : job,
        ),
      );
      return HttpResponse.json(board.jobs.find((job) => job.id === id));
    }),
  );
});

/** Tab by tab to the button of this name; nothing is pressed or focused otherwise. */
async function tabTo(user: ReturnType<typeof open>['user'], name: RegExp): Promise<void> {
  for (let tabs = 0; tabs < 200; tabs += 1) {
    await user.tab();
    const at = document.activeElement;
    if (at && name.test(at.getAttribute('aria-label') ?? at.textContent ?? '')) return;
  }
  throw new Error(`not reached: ${String(name)}`);
}

it('has ten jobs assigned by keys alone, one after the other', async () => {
  const { user } = open('/dispatch?hub=montreal&day=2027-03-01');
  await screen.findByRole('region', { name: '10 jobs lack people' });
  for (let n = 0; n < many; n += 1) {
    // after the first one the focus goes on to the next that lacks people
    if (n === 0) await tabTo(user, /^Move JOB0X to…$/);
    await waitFor(() => expect(document.activeElement).toHaveAccessibleName(`Move JOB${String(n)}X to…`));
    await user.keyboard('{Enter}');
    await screen.findByRole('button', { name: 'Choose the suggested crew' });
    await tabTo(user, /^Choose the suggested crew$/);
    await user.keyboard('{Enter}');
    await tabTo(user, /^Send this crew$/);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(named).toHaveLength(n + 1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const left = many - n - 1;
    if (left > 0) await screen.findByRole('region', { name: new RegExp(`^${String(left)} jobs? lacks? people$`) });
  }
  expect(new Set(named.map(({ id }) => id)).size).toBe(many);
  expect(named.every(({ mates }) => mates.join() === 'm1')).toBe(true);
  expect(within(screen.getByRole('region', { name: '0 jobs lack people' })).getByText(/has its people/)).toBeVisible();
});
