import { api, type components, sendFile, unwrap } from '@portage/api';
import { queryClient } from '@portage/frame';
import { queryOptions } from '@tanstack/react-query';

import { readSeen } from '../../shell/seen.ts';
import { session } from '../../shell/session.ts';
import type { Act, Pressed } from './pressed.ts';

/** A job as a mate on it sees it: no price, no e-mail address. */
export type MateJob = components['schemas']['MateJob'];
export type JobNote = components['schemas']['JobNote'];

export const jobsKey = ['desk', 'my-jobs'] as const;
const meta = { personal: true };

/** The jobs seen last, while nobody can be asked who this is. */
function seenJobs(): MateJob[] | undefined {
  const state = session.current();
  return state.status === 'anonymous' && state.unreached ? readSeen()?.jobs : undefined;
}

export const jobsQuery = queryOptions({
  queryKey: [...jobsKey, 'list'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/jobs', { signal }))).data,
  initialData: seenJobs,
  // it is asked for again at once
  initialDataUpdatedAt: 0,
  meta,
});

export function jobQuery(id: string) {
  const queryKey = [...jobsKey, 'one', id];
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => unwrap(api.GET('/jobs/{id}', { params: { path: { id } }, signal })),
    // The list has all of a job: without signal one that was not opened before can be read, too. What the server said of the
    // job itself counts more.
    initialData: () =>
      queryClient.getQueryState(queryKey)?.error
        ? undefined
        : (queryClient.getQueryData<MateJob[]>(jobsQuery.queryKey) ?? seenJobs())?.find((job) => job.id === id),
    initialDataUpdatedAt: 0,
    meta,
  });
}

export function jobNotesQuery(id: string) {
  return queryOptions({
    queryKey: [...jobsKey, 'notes', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/jobs/{id}/notes', { params: { path: { id } }, signal }))).data,
    meta,
  });
}

export function jobPhotosQuery(id: string) {
  return queryOptions({
    queryKey: [...jobsKey, 'photos', id],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/jobs/{id}/photos', { params: { path: { id } }, signal }))).data,
    meta,
  });
}

async function tellAct(id: string, act: Act, at: string): Promise<void> {
  const said = { params: { path: { id } }, body: { at } };
  if (act === 'accept') await unwrap(api.POST('/jobs/{id}/accept', said));
  else if (act === 'decline') await unwrap(api.POST('/jobs/{id}/decline', said));
  else if (act === 'start') await unwrap(api.POST('/jobs/{id}/start', said));
  else await unwrap(api.POST('/jobs/{id}/finish', said));
}

/** Tells the server what was pressed, with the instant it was pressed at. */
export async function tell(one: Pressed): Promise<void> {
  if (one.kind === 'act') {
    // the same act of a job is taken once, whoever sends it twice
    await tellAct(one.job, one.act, one.at);
  } else if (one.kind === 'note') {
    const params = { path: { id: one.job }, header: { 'Idempotency-Key': one.key } };
    await unwrap(api.POST('/jobs/{id}/notes', { params, body: { text: one.text, at: one.at } }));
  } else if (one.file) {
    const asked = new URLSearchParams({ stage: one.stage, at: one.at });
    await sendFile(`/api/jobs/${one.job}/photos?${asked.toString()}`, {
      part: 'photo',
      file: one.file,
      idempotencyKey: one.key,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  }
}
