import { api, type components, unwrap } from '@portage/api';
import type { Day } from '@portage/kit/desk/dates';
import { queryOptions } from '@tanstack/react-query';

import { allHubs } from '../../shell/hubs.ts';
import type { DispatchJob, DispatchPlan } from './types.ts';

/** Of everything the board shows. */
export const dispatchKey = ['desk', 'dispatch'] as const;
const meta = { personal: true };

/** Of a hub, or of all of them. */
export function boardQuery(hub: string, from: Day, to: Day) {
  const query = hub === allHubs ? { from, to } : { hub, from, to };
  return queryOptions({
    queryKey: [...dispatchKey, 'board', hub, from, to],
    queryFn: ({ signal }) => unwrap(api.GET('/dispatch', { params: { query }, signal })),
    meta,
  });
}

export function suggestionsQuery(id: string) {
  return queryOptions({
    queryKey: [...dispatchKey, 'suggestions', id],
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}/crew/suggestions', { params: { path: { id } }, signal })),
    meta,
    // what was free a minute ago may be taken
    staleTime: 0,
  });
}

/** All of the crew, in place of who is on it. No truck: null; undefined: the one it has, else the one that is suggested. */
export function nameCrew(id: string, mates: string[], truckId: string | null | undefined): Promise<DispatchJob> {
  const body = truckId === undefined ? { mates } : { mates, truckId };
  return unwrap(api.PUT('/bookings/{id}/crew', { params: { path: { id } }, body }));
}

/** What a day would look like. It stays as it is while somebody looks at it, whatever happens on the board. */
export function planQuery(hub: string, day: Day) {
  return queryOptions({
    queryKey: ['desk', 'dispatch-plan', hub, day],
    queryFn: ({ signal }) => unwrap(api.POST('/dispatch/auto', { body: { hub, date: day }, signal })),
    meta,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Assigns a day as its plan was seen. */
export function assignDay(hub: string, day: Day, version: string): Promise<DispatchPlan> {
  return unwrap(api.POST('/dispatch/auto', { body: { hub, date: day, apply: true, version } }));
}

/** Somebody is away; the same key is written down once. */
export function addAbsence(body: components['schemas']['AbsenceRequest'], key: string): Promise<unknown> {
  return unwrap(api.POST('/absences', { params: { header: { 'Idempotency-Key': key } }, body }));
}
