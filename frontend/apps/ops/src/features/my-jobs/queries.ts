import { api, type components, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** A job as a mate on it sees it: no price, no e-mail address. */
export type MateJob = components['schemas']['MateJob'];
/** What a mate says of a job. */
export const acts = ['accept', 'decline', 'start', 'finish'] as const;
export type Act = (typeof acts)[number];

export const jobsKey = ['desk', 'my-jobs'] as const;
const meta = { personal: true };

export const jobsQuery = queryOptions({
  queryKey: [...jobsKey, 'list'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/jobs', { signal }))).data,
  meta,
});

export function jobQuery(id: string) {
  return queryOptions({
    queryKey: [...jobsKey, 'one', id],
    queryFn: ({ signal }) => unwrap(api.GET('/jobs/{id}', { params: { path: { id } }, signal })),
    meta,
  });
}

/** Tells the server what was done, with the instant it was done at. */
export async function tell(id: string, act: Act, at: string): Promise<void> {
  const said = { params: { path: { id } }, body: { at } };
  if (act === 'accept') await unwrap(api.POST('/jobs/{id}/accept', said));
  else if (act === 'decline') await unwrap(api.POST('/jobs/{id}/decline', said));
  else if (act === 'start') await unwrap(api.POST('/jobs/{id}/start', said));
  else await unwrap(api.POST('/jobs/{id}/finish', said));
}
