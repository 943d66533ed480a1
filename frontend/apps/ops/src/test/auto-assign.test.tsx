import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import type { DispatchBoard, DispatchPlan, OpenJob, PlannedJob } from '../features/dispatch/types.ts';
import { someJob } from './dispatch-world.ts';
import { open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();

const ends = {
  pickup: { address: '1 Rue A, Laval', city: 'Laval', coords: { lat: 45.6, lon: -73.7 } },
  dropoff: { address: '2 Rue B, Montréal', city: 'Montréal', coords: { lat: 45.5, lon: -73.6 } },
};
const planned: PlannedJob = {
  id: 'job-1',
  shortId: 'AAAA11',
  customerName: 'Ana Roy',
  time: '09:00',
  endTime: '11:00',
  ...ends,
  mateCount: 2,
  crew: [
    { mateId: 'm1', name: 'Ali Haddad', onIt: true, reasons: [], wayMinutes: null },
    { mateId: 'm2', name: 'Bea Li', onIt: false, reasons: ['language', 'near'], wayMinutes: 12 },
  ],
  truck: { id: 't1', name: 'Castor', size: '20ft', onIt: false },
  refused: null,
};
const left: OpenJob = {
  id: 'job-2',
  shortId: 'BBBB22',
  customerName: 'Chris Noel',
  time: '10:00',
  endTime: '13:00',
  ...ends,
  mateCount: 3,
  reason: 'too_few',
  lacking: 3,
  free: 1,
};
let board: DispatchBoard;
let plan: DispatchPlan;
let asked: { apply?: boolean; version?: string }[];
let looks: number;
/** What the server says to the confirmation. */
let answer: () => Response;

beforeEach(() => {
  signedInAs('ops');
  asked = [];
  looks = 0;
  plan = {
    hub: 'montreal',
    date: '2027-03-01',
    version: 'v1',
    applied: false,
    jobs: [planned],
    open: [left],
    drivingMinutes: 70,
    listedDrivingMinutes: 100,
    listedJobs: 1,
    savedPercent: 30,
  };
  board = {
    hub: 'montreal',
    zone: 'America/Toronto',
    today: '2027-03-01',
    from: '2027-03-01',
    to: '2027-03-01',
    jobs: [someJob({}), someJob({ id: 'job-2', shortId: 'BBBB22' })],
    mates: [{ id: 'm1', name: 'Ali Haddad', away: [] }],
    trucks: [],
    unassigned: ['job-1', 'job-2'],
  };
  answer = () => HttpResponse.json({ ...plan, applied: true });
  server.use(
    http.get('*/api/dispatch', () => {
      looks += 1;
      return HttpResponse.json(board);
    }),
    http.post('*/api/dispatch/auto', async ({ request }) => {
      const body = (await request.json()) as { apply?: boolean; version?: string };
      asked.push(body);
      return body.apply ? answer() : HttpResponse.json(plan);
    }),
  );
});

describe('the whole day at once', () => {
  it('is shown before anything is sent, and sent by keys alone as it was shown', async () => {
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01');
    (await screen.findByRole('button', { name: 'Assign the day…' })).focus();
    await user.keyboard('{Enter}');
    const drawer = await screen.findByRole('dialog', { name: 'Assign the day' });
    const jobs = await within(drawer).findByRole('region', { name: '1 job gets what it lacks' });
    expect(within(jobs).getByText('on it already')).toBeVisible();
    expect(within(jobs).getByText('speaks the customer’s language, 12 minutes to the pickup')).toBeVisible();
    expect(within(jobs).getByText('Castor, 20 ft')).toBeVisible();
    const stays = within(drawer).getByRole('region', { name: '1 job stays open' });
    expect(within(stays).getByText('It lacks 3 mates; free then: 1.')).toBeVisible();
    expect(within(drawer).getByText('30%')).toBeVisible();
    expect(asked).toEqual([{ hub: 'montreal', date: '2027-03-01' }]);
    const before = looks;
    within(drawer).getByRole('button', { name: 'Assign 1 job' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Assign 1 job' })).toBeNull());
    expect(asked[1]).toEqual({ hub: 'montreal', date: '2027-03-01', apply: true, version: 'v1' });
    expect(looks).toBeGreaterThan(before);
    expect(await screen.findByText('1 job assigned')).toBeVisible();
  });

  it('shows the new plan when it has changed, and asks again', async () => {
    answer = () => {
      plan = { ...plan, version: 'v2', jobs: [{ ...planned, shortId: 'ZZZZ99' }] };
      return problem(409, 'plan_changed', 'Look at the new plan and confirm it again.');
    };
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01&plan=day');
    await user.click(await screen.findByRole('button', { name: 'Assign 1 job' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Look at the new plan and confirm it again.');
    expect(await screen.findByText('ZZZZ99')).toBeVisible();
    answer = () => HttpResponse.json({ ...plan, applied: true });
    await user.click(screen.getByRole('button', { name: 'Assign 1 job' }));
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ apply: true, version: 'v2' }));
  });

  it('says which job stayed as it was, and stays open for it', async () => {
    const detail = 'Someone else changed this in the meantime.';
    const refused = { ...planned, id: 'job-3', shortId: 'CCCC33', refused: { code: 'version_conflict', detail } };
    answer = () => HttpResponse.json({ ...plan, applied: true, jobs: [planned, refused] });
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01&plan=day');
    await user.click(await screen.findByRole('button', { name: 'Assign 1 job' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(`CCCC33 stays as it was: ${detail}`);
    expect(screen.getByText('1 job assigned')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Assign 1 job' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Back to the board' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('keeps the preview when the answer does not come', async () => {
    answer = () => problem(503, 'unavailable', 'Please try again in a moment.');
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01&plan=day');
    await user.click(await screen.findByRole('button', { name: 'Assign 1 job' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The day was not assigned');
    expect(screen.getByRole('button', { name: 'Assign 1 job' })).toBeVisible();
    expect(screen.getByText('Bea Li')).toBeVisible();
  });

  it('is not offered on a day that lacks nobody', async () => {
    board.unassigned = [];
    open('/dispatch?hub=montreal&day=2027-03-01');
    expect(await screen.findByText('Every job of this day has its people.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Assign the day…' })).toBeNull();
  });
});
