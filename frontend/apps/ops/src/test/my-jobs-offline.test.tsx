import { forgetServerClock } from '@portage/api';
import { queryClient } from '@portage/frame';
import { problem } from '@portage/mock-api';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { forgetPressedForTest } from '../features/my-jobs/outbox.ts';
import type { JobNote, MateJob } from '../features/my-jobs/queries.ts';
import type { JobPhoto } from '../shell/crew-job/photos.tsx';
import { restoreSession, sessionEnded, setSessionForTest } from '../shell/session.ts';
import { someMateJob } from './jobs-world.ts';
import { open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();

const small = 'data:image/jpeg;base64,AAAA';
const note: JobNote = {
  id: 'n1',
  text: 'The lift is stuck',
  at: '2027-03-01T14:10:00Z',
  mateId: 'm1',
  name: 'Ali Haddad',
};
const photo = (id: string): JobPhoto => ({
  id,
  url: `/api/photos/${id}`,
  stage: 'before',
  at: '2027-03-01T14:05:00Z',
  mateId: 'm1',
  name: 'Ali Haddad',
  width: 640,
  height: 480,
  bytes: 3,
});
let job: MateJob;
let photos: JobPhoto[];

beforeEach(async () => {
  localStorage.clear();
  await forgetPressedForTest();
  signedInAs('mate');
  job = someMateJob();
  photos = [photo('p1'), photo('p2')];
  // jsdom draws nothing
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 640, height: 480, close: () => {} }));
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue(small);
  answer();
});

function answer(): void {
  server.use(
    http.get('*/api/jobs', () => HttpResponse.json({ data: [job] })),
    http.get('*/api/jobs/feed', () => HttpResponse.json({ feed: null })),
    http.get('*/api/jobs/:id', () => HttpResponse.json(job)),
    http.get('*/api/jobs/:id/notes', () => HttpResponse.json({ data: [note] })),
    http.get('*/api/jobs/:id/photos', () => HttpResponse.json({ data: photos })),
    http.get('*/api/photos/:id', () => HttpResponse.arrayBuffer(new ArrayBuffer(3))),
  );
}
afterEach(() => {
  vi.restoreAllMocks();
  forgetServerClock();
});

/** Nobody answers, as behind a thick wall. */
function cut(): void {
  server.use(
    http.get('*/api/jobs', () => HttpResponse.error()),
    http.get('*/api/jobs/:id', () => HttpResponse.error()),
    http.get('*/api/jobs/:id/notes', () => HttpResponse.error()),
    http.get('*/api/jobs/:id/photos', () => HttpResponse.error()),
    http.get('*/api/photos/:id', () => HttpResponse.error()),
  );
}

/** The list was read, then the signal went: the job is opened out of the list. */
async function openWithoutSignal(): Promise<void> {
  const { user } = open('/my-jobs');
  const link = await screen.findByRole('link', { name: /From Laval/ });
  cut();
  await user.click(link);
}

const records = () => Object.keys(localStorage).filter((place) => place.startsWith('portage.crew.seen.job.'));
const kept = () =>
  JSON.parse(localStorage.getItem('portage.crew.seen.job.job-1') ?? 'null') as {
    notes: JobNote[];
    small: Record<string, string>;
  } | null;

/** Opens the job, and waits until all of it is kept for later. */
async function seen(): Promise<void> {
  open('/my-jobs/job-1');
  expect(await screen.findByText('The lift is stuck')).toBeVisible();
  await waitFor(() => expect(Object.keys(kept()?.small ?? {})).toEqual(photos.map(({ id }) => id)));
  await waitFor(() => expect(localStorage.getItem('portage.crew.seen')).toContain('job-1'));
  cleanup();
  queryClient.clear();
}

describe('the record of a job without network', () => {
  it('shows notes and small pictures as they were seen last, with when that was', async () => {
    await seen();
    await openWithoutSignal();
    const notes = within(await screen.findByRole('region', { name: 'Notes of the crew' }));
    expect(await notes.findByText('The lift is stuck')).toBeVisible();
    expect(notes.getByText(/^As you saw it last: /)).toBeVisible();
    const shown = await screen.findByRole('img', { name: 'Before the work, photo 2' });
    expect(shown).toHaveAttribute('src', small);
  });

  it('says of a job that is kept nothing more than that there is no network', async () => {
    await seen();
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await openWithoutSignal();
    expect(await screen.findByText('Ring twice')).toBeVisible();
    const asked = () => queryClient.getQueryState(['desk', 'my-jobs', 'one', 'job-1'])?.status;
    await waitFor(() => expect(asked()).toBe('error'));
    expect(await screen.findByText('The lift is stuck')).toBeVisible();
    expect(screen.queryByText('Failed to load page.')).toBeNull();
    online.mockRestore();
  });

  it('shows the list that was read as such when it cannot be read again, and no failure', async () => {
    open('/my-jobs');
    expect(await screen.findByRole('link', { name: /From Laval/ })).toBeVisible();
    await waitFor(() => expect(localStorage.getItem('portage.crew.seen')).toContain('job-1'));
    cut();
    await queryClient.refetchQueries({ queryKey: ['desk', 'my-jobs', 'list'] });
    expect(await screen.findByText(/^No connection\. These are the jobs as you saw them last: /)).toBeVisible();
    expect(screen.getByRole('link', { name: /From Laval/ })).toBeVisible();
    expect(screen.queryByText('Failed to load page.')).toBeNull();
    answer();
    await queryClient.refetchQueries({ queryKey: ['desk', 'my-jobs', 'list'] });
    await waitFor(() => expect(screen.queryByText(/^No connection/)).toBeNull());
  });

  it('shows them also to who cannot be asked who they are, and to nobody else', async () => {
    await seen();
    signedInAs('mate', 'user-2');
    await openWithoutSignal();
    expect(await screen.findByText('Ring twice')).toBeVisible();
    const notes = within(screen.getByRole('region', { name: 'Notes of the crew' }));
    expect(await notes.findByText('Failed to load page.')).toBeVisible();
    expect(screen.queryByText('The lift is stuck')).toBeNull();
    expect(screen.queryByRole('img', { name: 'Before the work, photo 1' })).toBeNull();
    cleanup();
    queryClient.clear();
    // as it is after a reload without network: somebody signed in here
    answer();
    signedInAs('mate');
    await seen();
    cut();
    server.use(http.get('*/api/config', () => HttpResponse.error()));
    setSessionForTest(null);
    localStorage.setItem('portage.session', '1');
    await restoreSession();
    open('/my-jobs/job-1');
    expect(await screen.findByText('The lift is stuck')).toBeVisible();
  });

  it('forgets them with the session, after two days, and where a photo was taken away', async () => {
    await seen();
    photos = [photo('p2')];
    await seen();
    expect(Object.keys(kept()?.small ?? {})).toEqual(['p2']);
    const old = { ...kept(), at: Date.now() - 49 * 3_600_000 };
    localStorage.setItem('portage.crew.seen.job.job-1', JSON.stringify(old));
    await openWithoutSignal();
    expect(await screen.findByRole('textbox', { name: 'New note on this job' })).toBeVisible();
    expect(screen.queryByText('The lift is stuck')).toBeNull();
    cleanup();
    expect(records()).toEqual([]);
    localStorage.setItem('portage.crew.seen.job.job-1', JSON.stringify({ ...old, at: Date.now() }));
    sessionEnded();
    expect(records()).toEqual([]);
    expect(localStorage.getItem('portage.crew.seen')).toBeNull();
  });

  it('keeps no more than there is room for: the jobs seen last', async () => {
    const large = { who: 'user-1', notes: [], photos: [], small: { x: 'A'.repeat(1_400_000) } };
    localStorage.setItem('portage.crew.seen.job.old', JSON.stringify({ ...large, at: Date.now() - 3000 }));
    localStorage.setItem('portage.crew.seen.job.new', JSON.stringify({ ...large, at: Date.now() - 1000 }));
    localStorage.setItem('portage.crew.seen.job.damaged', '{');
    await seen();
    expect(kept()?.notes.map(({ text }) => text)).toEqual(['The lift is stuck']);
    expect(records().sort()).toEqual([
      'portage.crew.seen.job.damaged',
      'portage.crew.seen.job.job-1',
      'portage.crew.seen.job.new',
    ]);
  });
});

describe('the clock of a demonstration', () => {
  const ahead = '2027-03-01T14:02:00.000Z';
  let told: string[];
  const clock = (at: string) => ({ headers: { 'Portage-Clock': at, Date: new Date().toUTCString() } });

  beforeEach(() => {
    told = [];
    job = someMateJob({ acceptedAt: '2027-02-27T14:00:00Z', mayStart: true });
    server.use(
      http.get('*/api/jobs', () => HttpResponse.json({ data: [job] }, clock(ahead))),
      http.get('*/api/jobs/:id', () => HttpResponse.json(job, clock(ahead))),
    );
  });

  it('gives presses the instant of the program, not of the machine', async () => {
    server.use(
      http.post('*/api/jobs/:id/start', async ({ request }) => {
        told.push(((await request.json()) as { at: string }).at);
        return HttpResponse.json(job, clock(ahead));
      }),
    );
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I begin' }));
    await waitFor(() => expect(told).toHaveLength(1));
    expect(Math.abs(Date.parse(told[0] ?? '') - Date.parse(ahead))).toBeLessThan(60_000);
  });

  it('sends a press again by what the refusal says of the clock, where what was known of it was old', async () => {
    const now = '2027-02-28T09:00:00.000Z';
    server.use(
      http.post('*/api/jobs/:id/start', async ({ request }) => {
        const { at } = (await request.json()) as { at: string };
        told.push(at);
        if (Date.parse(at) < Date.parse(now) + 300_000) return HttpResponse.json(job, clock(now));
        const errors = [{ field: 'at', code: 'out_of_range', message: 'Too far ahead.' }];
        return HttpResponse.json(
          { status: 422, code: 'validation_failed', title: 'No', detail: 'No', errors },
          { status: 422, ...clock(now) },
        );
      }),
    );
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I begin' }));
    await waitFor(() => expect(told).toHaveLength(2));
    expect(Math.abs(Date.parse(told[1] ?? '') - Date.parse(now))).toBeLessThan(60_000);
    expect(screen.queryByText(/was not taken/)).toBeNull();
  });

  it('tells of a press that is refused for its instant all the same', async () => {
    server.use(
      http.post('*/api/jobs/:id/start', async ({ request }) => {
        told.push(((await request.json()) as { at: string }).at);
        return problem(422, 'validation_failed', 'Not at this time.');
      }),
    );
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I begin' }));
    expect(await screen.findByText(/“I begin” was not taken: Not at this time/)).toBeVisible();
    expect(told).toHaveLength(1);
  });

  it('says that a job was given to somebody else when its press arrives', async () => {
    server.use(http.post('*/api/jobs/:id/start', () => problem(404, 'not_found', 'We could not find this.')));
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I begin' }));
    expect(await screen.findByText(/“I begin” was not taken: This job is not yours any more/)).toBeVisible();
    expect(screen.queryByText(/We could not find this/)).toBeNull();
  });
});

it('says until when an answer is waited for, and that it is waited for since', async () => {
  job = someMateJob({ answerBy: '2999-02-28T20:00:00Z' });
  open('/my-jobs/job-1');
  expect(await screen.findByText(/^Say whether you come by February 28, 2999.*[^.]\.$/)).toBeVisible();
  cleanup();
  queryClient.clear();
  job = someMateJob({ answerBy: '2020-02-28T20:00:00Z' });
  open('/my-jobs/job-1');
  expect(await screen.findByText('The office waits for your answer.')).toBeVisible();
});
