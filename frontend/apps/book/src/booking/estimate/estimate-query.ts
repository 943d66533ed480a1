import { api, ApiProblem, type Estimate, type EstimateRequest, unwrap } from '@portage/api';
import { parseCents } from '@portage/domain';
import { queryClient } from '@portage/frame';
import { currentLanguage, type Language } from '@portage/i18n';
import { queryOptions } from '@tanstack/react-query';

import { draftStore } from '../draft/draft-store.ts';
import { type Draft, routeKey } from '../draft/draft.ts';
import { estimatePayload, kilometres, type Route, travelMinutes } from './payload.ts';

/** The way between the two ends of a draft. */
export function routeQuery(draft: Draft) {
  const key = routeKey(draft);
  const pickup = draft.ends.pickup.place?.coords;
  const dropoff = draft.ends.dropoff.place?.coords;
  return queryOptions({
    queryKey: ['/geo/route', key],
    enabled: key !== null,
    queryFn: async ({ signal }): Promise<Route> => {
      if (!pickup || !dropoff) throw new ApiProblem({ status: 422, code: 'no_route' });
      const found = await unwrap(api.POST('/geo/route', { body: { pickup, dropoff }, signal }));
      return { minutes: travelMinutes(found.durationSeconds), km: kilometres(found.distanceMeters) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const path = '/booking/estimate';

/** A price with an amount nobody can read is a failed one: neither is it shown, nor can it be agreed to. */
function readable(estimate: Estimate): Estimate {
  const { amount, tax, total, lines, taxComponents } = estimate;
  const amounts = [amount, tax, total, ...[...lines, ...taxComponents].map((one) => one.amount)];
  if (amounts.some((one) => parseCents(one) === null)) throw new ApiProblem({ status: 502, code: 'unreadable_price' });
  return estimate;
}

/** The price of one question (`asked` is its JSON) for the draft of one generation. Null asks nothing. */
export function estimateQuery(generation: number, asked: string | null, language: Language) {
  return queryOptions({
    queryKey: [path, generation, asked, language],
    enabled: asked !== null,
    queryFn: async ({ signal }): Promise<Estimate> => {
      const body = JSON.parse(asked ?? '{}') as EstimateRequest;
      return readable(await unwrap(api.POST('/booking/estimate', { body, signal })));
    },
    staleTime: 5 * 60_000,
    // the last good answer is shown while a newer one fails
    gcTime: 60 * 60_000,
    retry: 1,
  });
}

/** The newest answer in the cache to a question about this draft, in whichever language; without `asked`, to any question. */
export function knownEstimate(generation: number, asked?: string): Estimate | null {
  const answered = queryClient
    .getQueryCache()
    .findAll({ queryKey: [path, generation, ...(asked === undefined ? [] : [asked])] })
    .filter((query) => query.state.data !== undefined)
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  return (answered[0]?.state.data as Estimate | undefined) ?? null;
}

/**
 * What the server says of the draft as it is now, and the question it answers: from the cache, else asked for. Rejects when it cannot be known, so that
 * nothing is ever held or booked on a guess.
 */
export async function loadEstimate(): Promise<{ asked: EstimateRequest; estimate: Estimate }> {
  const draft = draftStore.get();
  const payload = estimatePayload(draft, await queryClient.ensureQueryData(routeQuery(draft)));
  if (!payload) throw new ApiProblem({ status: 422, code: 'draft_incomplete' });
  const asked = JSON.stringify(payload);
  const { generation } = draftStore;
  const estimate =
    knownEstimate(generation, asked) ??
    (await queryClient.ensureQueryData(estimateQuery(generation, asked, currentLanguage())));
  return { asked: payload, estimate };
}

/**
 * Asks what the draft costs on a day that is not in it yet, so that the answer is there when the day comes into it. False
 * where it cannot be known: the draft then stays as it is.
 */
export async function knowDay(date: string): Promise<boolean> {
  try {
    const draft = { ...draftStore.get(), date };
    const payload = estimatePayload(draft, await queryClient.ensureQueryData(routeQuery(draft)));
    if (!payload) return false;
    await queryClient.ensureQueryData(estimateQuery(draftStore.generation, JSON.stringify(payload), currentLanguage()));
    return true;
  } catch {
    return false;
  }
}
