import { queryClient } from '@portage/frame';
import { problem } from '@portage/mock-api';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { forgetPressedForTest } from '../features/my-jobs/outbox.ts';
import type { JobNote, MateJob } from '../features/my-jobs/queries.ts';
import type { JobPhoto } from '../shell/crew-job/photos.tsx';
import { restoreSession, sessionEnded, setSessionForTest } from '../shell/session.ts';
import { someMateJob } from './jobs-world.ts';
import { open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();

let job: MateJob;
let told: { act: string; at: string }[];
let signal: boolean;
let notes: JobNote[];
let photos: JobPhoto[];
/** Keys that came with notes and photos, in their order. */
let keys: (string | null)[];

beforeEach(async () => {
  localStorage.clear();
  await forgetPressedForTest();
  signedInAs('mate');
  told = [];
  signal = true;
  notes = [];
  photos = [];
  keys = [];
  job = someMateJob();
  server.use(
    http.get('*/api/jobs', () => HttpResponse.json({ data: [job] })),
    http.get('*/api/jobs/feed', () => HttpResponse.json({ feed: null })),
    http.get('*/api/jobs/:id', () => HttpResponse.json(job)),
    http.get('*/api/jobs/:id/notes', () => HttpResponse.json({ data: notes })),
    http.get('*/api/jobs/:id/photos', () => HttpResponse.json({ data: photos })),
    http.get('*/api/photos/:id', () => HttpResponse.arrayBuffer(new ArrayBuffer(3))),
    http.post('*/api/jobs/:id/notes', async ({ request }) => {
      if (!signal) return HttpResponse.error();
      keys.push(request.headers.get('Idempotency-Key'));
      const { text, at } = (await request.json()) as { text: string; at: string };
      if (text === 'Late') return problem(409, 'transition_refused', 'It does not take place any more.');
      const made = { id: `n${notes.length}`, text, at, mateId: 'm1', name: 'Ali Haddad' };
      notes = [...notes, made];
      return HttpResponse.json(made, { status: 201 });
    }),
    http.post('*/api/jobs/:id/photos', ({ request }) => {
      if (!signal) return HttpResponse.error();
      keys.push(request.headers.get('Idempotency-Key'));
      const asked = new URL(request.url).searchParams;
      const id = `p${photos.length}`;
      const stage = asked.get('stage') as JobPhoto['stage'];
      const at = asked.get('at') ?? '';
      const made = {
        id,
        url: `/api/photos/${id}`,
        stage,
        at,
        mateId: 'm1',
        name: 'Ali Haddad',
        width: 8,
        height: 8,
        bytes: 3,
      };
      photos = [...photos, made];
      return HttpResponse.json(made, { status: 201 });
    }),
    http.post('*/api/jobs/:id/:act', async ({ params, request }) => {
      if (!signal) return HttpResponse.error();
      const { at } = (await request.json()) as { at: string };
      const act = String(params['act']);
      if (act === 'decline') return problem(409, 'transition_refused', 'It does not take place any more.');
      told.push({ act, at });
      if (act === 'accept') job = { ...job, acceptedAt: at, mayStart: true };
      if (act === 'start') job = { ...job, startedAt: at, mayDecline: false };
      if (act === 'finish') job = { ...job, finishedAt: at, status: 'completed' };
      return HttpResponse.json(job);
    }),
  );
});

describe('a mate on the telephone', () => {
  it('is led to their jobs from the address of the desk, and only from there', async () => {
    const { router } = open('/');
    await waitFor(() => expect(router.state.location.pathname).toBe('/my-jobs'));
    cleanup();
    const other = open('/bookings');
    expect(await screen.findByRole('link', { name: 'Go to my jobs' })).toBeVisible();
    expect(other.router.state.location.pathname).toBe('/bookings');
  });

  it('sees the next job, and everything for the door', async () => {
    const { user } = open('/my-jobs');
    await user.click(await screen.findByRole('link', { name: /From Laval to Montréal.*Waits for your answer/ }));
    expect(await screen.findByRole('heading', { name: 'Job AAAA11' })).toBeVisible();
    for (const words of ['Ring twice', '1 × Piano', 'heavy', 'Truck: Castor'])
      expect(screen.getByText(words)).toBeVisible();
    expect(screen.getAllByText('Door code 12')).toHaveLength(2);
    expect(screen.getByText(/shown from 24 hours before/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Where it begins: open the map' })).toHaveAttribute(
      'href',
      expect.stringContaining('mlat=45.5&mlon=-73.6'),
    );
  });

  it('accepts, starts and finishes, each with its instant', async () => {
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I come' }));
    await user.click(await screen.findByRole('button', { name: 'I begin' }));
    await user.click(await screen.findByRole('button', { name: 'I am done' }));
    await waitFor(() => expect(told.map(({ act }) => act)).toEqual(['accept', 'start', 'finish']));
    expect(told.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'I am done' })).toBeNull());
  });

  it('keeps what is pressed without signal, and sends it later in order', async () => {
    job = { ...job, mayStart: true };
    signal = false;
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I begin' }));
    expect(await screen.findByText('1 press waits for signal and is sent by itself.')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'I am done' }));
    expect(await screen.findByText(/2 presses wait for signal/)).toBeVisible();
    expect(told).toEqual([]);
    signal = true;
    globalThis.dispatchEvent(new Event('online'));
    await waitFor(() => expect(told.map(({ act }) => act)).toEqual(['start', 'finish']));
    const [start, finish] = told;
    expect(Date.parse(finish?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(start?.at ?? ''));
    await waitFor(() => expect(screen.queryByText(/wait for signal/)).toBeNull());
  });

  it('writes notes and takes photos without signal, and sends each once', async () => {
    job = { ...job, mayStart: true };
    signal = false;
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I begin' }));
    await user.type(await screen.findByRole('textbox', { name: 'New note on this job' }), 'The lift is stuck');
    await user.click(screen.getByRole('button', { name: 'Save the note' }));
    const file = new File(['abc'], 'door.jpg', { type: 'image/jpeg' });
    await user.upload(screen.getByTestId('photo-before'), file);
    expect(await screen.findByText('3 presses wait for signal and are sent by themselves.')).toBeVisible();
    const part = within(screen.getByRole('region', { name: 'Notes of the crew' }));
    expect(part.getByText('The lift is stuck')).toBeVisible();
    expect(screen.getByRole('img', { name: 'Photo before the work' })).toBeVisible();
    expect([told, notes, photos]).toEqual([[], [], []]);
    signal = true;
    globalThis.dispatchEvent(new Event('online'));
    globalThis.dispatchEvent(new Event('online'));
    await waitFor(() => expect(screen.queryByText(/wait for signal/)).toBeNull());
    expect(told.map(({ act }) => act)).toEqual(['start']);
    expect(notes.map(({ text }) => text)).toEqual(['The lift is stuck']);
    expect(photos.map(({ stage }) => stage)).toEqual(['before']);
    // in order, each with a key of its own and the instant of its press
    expect(new Set(keys).size).toBe(2);
    expect(keys.every((key) => (key ?? '').length > 20)).toBe(true);
    const instants = [told[0]?.at, notes[0]?.at, photos[0]?.at].map((at) => Date.parse(at ?? ''));
    expect([...instants].sort((a, b) => a - b)).toEqual(instants);
    expect(await screen.findByRole('heading', { name: 'Before the work' })).toBeVisible();
  });

  it('shows on the list which job has presses that wait', async () => {
    signal = false;
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I come' }));
    await user.click(screen.getByRole('link', { name: 'All my jobs' }));
    // what waits counts already
    expect(await screen.findByRole('link', { name: /From Laval.*You come.*1 waits for signal/ })).toBeVisible();
  });

  it('keeps what was pressed for who pressed it', async () => {
    signal = false;
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I come' }));
    await screen.findByText(/1 press waits for signal/);
    cleanup();
    signal = true;
    signedInAs('mate', 'user-2');
    open('/my-jobs/job-1');
    expect(await screen.findByRole('button', { name: 'I come' })).toBeVisible();
    expect(screen.queryByText(/waits for signal/)).toBeNull();
    expect(told).toEqual([]);
  });

  it('takes over what was pressed before photos could be', async () => {
    const former = { job: 'job-1', number: 'AAAA11', act: 'accept', at: '2027-02-01T12:00:00Z', who: 'user-1' };
    localStorage.setItem('portage.pressed', JSON.stringify([former, { job: 1 }]));
    open('/my-jobs/job-1');
    await waitFor(() => expect(told).toEqual([{ act: 'accept', at: '2027-02-01T12:00:00Z' }]));
  });

  it('says at once what is no photo', async () => {
    const { user } = open('/my-jobs/job-1');
    const input = await screen.findByTestId('photo-after');
    const large = new File(['x'], 'sofa.png', { type: 'image/png' });
    Object.defineProperty(large, 'size', { value: 12 * 1024 * 1024 + 1 });
    await user.upload(input, [large, new File([], 'none.jpg', { type: 'image/jpeg' })]);
    expect(await screen.findByText('sofa.png is larger than 12 MB.')).toBeVisible();
    expect(screen.getByText('none.jpg is empty.')).toBeVisible();
    expect(photos).toEqual([]);
  });

  it('gives a note back that was not taken', async () => {
    const { user } = open('/my-jobs/job-1');
    await user.type(await screen.findByRole('textbox', { name: 'New note on this job' }), 'Late');
    await user.click(screen.getByRole('button', { name: 'Save the note' }));
    expect(await screen.findByText(/AAAA11, “a note” was not taken: It does not take place any more/)).toBeVisible();
    expect(screen.getByText('Late')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'I have read this' }));
    await waitFor(() => expect(screen.queryByText('Late')).toBeNull());
  });

  it('shows the hours beside those planned', async () => {
    job = { ...job, startedAt: '2027-03-01T14:04:00Z', finishedAt: '2027-03-01T16:14:00Z', workedMinutes: 130 };
    open('/my-jobs/job-1');
    expect(await screen.findByText(/You worked 2\sh\s10\smin\. Planned: 2\sh/)).toBeVisible();
    expect(screen.getByText(/^Started: Mar 1, 2027,? (at )?9:04\sa\.m\.$/)).toBeVisible();
  });

  it('shows the jobs seen last while nobody can be asked who this is, and forgets them', async () => {
    setSessionForTest(null);
    // somebody signed in here, and there is no network now
    localStorage.setItem('portage.session', '1');
    localStorage.setItem('portage.crew.seen', JSON.stringify({ who: 'user-1', at: Date.now(), jobs: [job] }));
    server.use(
      http.get('*/api/config', () => HttpResponse.error()),
      http.get('*/api/jobs', () => HttpResponse.error()),
    );
    await restoreSession();
    const { user } = open('/my-jobs');
    expect(await screen.findByText(/^No connection\. These are the jobs as you saw them last: /)).toBeVisible();
    const asking = () => queryClient.getQueryState(['desk', 'my-jobs', 'list'])?.status;
    await waitFor(() => expect(asking()).toBe('error'));
    // that is all there is to say: neither the list nor the calendar's link failed
    expect(screen.getByRole('link', { name: /From Laval to Montréal/ })).toBeVisible();
    expect(screen.queryByText('Failed to load page.')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await user.click(screen.getByRole('link', { name: /From Laval to Montréal/ }));
    expect(await screen.findByText('Ring twice')).toBeVisible();
    signal = false;
    await user.click(screen.getByRole('button', { name: 'I come' }));
    expect(await screen.findByText('1 press waits for signal and is sent by itself.')).toBeVisible();
    cleanup();
    // two days later they say nothing of the day any more
    const old = Date.now() - 49 * 3_600_000;
    localStorage.setItem('portage.crew.seen', JSON.stringify({ who: 'user-1', at: old, jobs: [job] }));
    open('/my-jobs');
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
    expect(screen.queryByText(/From Laval/)).toBeNull();
  });

  it('keeps the jobs for later as often as they are read, until the session ends', async () => {
    open('/my-jobs');
    await screen.findByRole('link', { name: /From Laval/ });
    await waitFor(() => expect(localStorage.getItem('portage.crew.seen')).toContain('"who":"user-1"'));
    sessionEnded();
    expect(localStorage.getItem('portage.crew.seen')).toBeNull();
  });

  it('asks before a job is given back, says what follows, and takes a no', async () => {
    const pressed: string[] = [];
    server.use(
      http.post('*/api/jobs/:id/decline', () => {
        pressed.push('decline');
        return HttpResponse.json({ ...job, mayDecline: false });
      }),
    );
    const { user } = open('/my-jobs/job-1');
    const button = await screen.findByRole('button', { name: 'I cannot come' });
    button.focus();
    await user.keyboard('{Enter}');
    const asked = await screen.findByRole('dialog', { name: 'Can you really not come to job AAAA11?' });
    expect(within(asked).getByText(/The office is told, the job leaves your list/)).toBeVisible();
    await waitFor(() => expect(within(asked).getByRole('button', { name: 'Keep the job' })).toHaveFocus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(button).toHaveFocus());
    expect(pressed).toEqual([]);
    await user.click(button);
    const again = await screen.findByRole('dialog', { name: /Can you really not come/ });
    await user.click(within(again).getByRole('button', { name: 'Yes, tell the office' }));
    await waitFor(() => expect(pressed).toEqual(['decline']));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('tells what was not taken', async () => {
    const { user } = open('/my-jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'I cannot come' }));
    const asked = await screen.findByRole('dialog', { name: 'Can you really not come to job AAAA11?' });
    await user.click(within(asked).getByRole('button', { name: 'Yes, tell the office' }));
    expect(
      await screen.findByText('AAAA11, “I cannot come” was not taken: It does not take place any more.'),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'I have read this' }));
    await waitFor(() => expect(screen.queryByText(/not take place any more/)).toBeNull());
  });

  it('shows nothing of a job that is not theirs any more', async () => {
    server.use(http.get('*/api/jobs/:id', () => problem(404, 'not_found', 'Not found.')));
    open('/my-jobs/job-1');
    expect(await screen.findByText('This job is not yours any more.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'I come' })).toBeNull();
  });

  it('is not let into the desk, and finds the way to the own jobs', async () => {
    open('/bookings');
    expect(await screen.findByRole('link', { name: 'Go to my jobs' })).toHaveAttribute('href', '/dashboard/my-jobs');
  });
});
