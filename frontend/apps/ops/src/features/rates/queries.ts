import {
  api,
  type EstimateRequest,
  ifMatch,
  type RateCard,
  type RatePreview,
  type RateVersion,
  unwrap,
} from '@portage/api';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { Card } from './card/paths.ts';

/** Of everything that shows rate cards. */
export const ratesKey = ['desk', 'rates'] as const;
const meta = { personal: true };
const atOnce = 100;

const readList = (page: number, per_page: number, signal?: AbortSignal) =>
  unwrap(api.GET('/rates', { params: { query: { page, per_page } }, ...(signal ? { signal } : {}) }));

export function listQuery(page: number, perPage: number) {
  return queryOptions({
    queryKey: [...ratesKey, 'list', page, perPage],
    queryFn: ({ signal }) => readList(page, perPage, signal),
    placeholderData: keepPreviousData,
    meta,
  });
}

const readRate = (id: string): Promise<RateCard> => unwrap(api.GET('/rates/{id}', { params: { path: { id } } }));

export function rateQuery(id: string) {
  return queryOptions({ queryKey: [...ratesKey, 'one', id], queryFn: () => readRate(id), meta });
}

/** The highest version of a name as it is now; null when all of them are gone. */
export async function readLatest(name: string): Promise<RateCard | null> {
  for (let page = 1; ; page += 1) {
    const { data, total } = await readList(page, atOnce);
    // of each name the highest version comes first
    const found = data.find((one) => one.name === name);
    if (found) return readRate(found.id);
    if (page * atOnce >= total) return null;
  }
}

/** The hub whose calendar has the statutory holidays of a province; the other provinces have none. */
const hubOf: Partial<Record<string, string>> = { QC: 'montreal', ON: 'toronto', BC: 'vancouver', AB: 'calgary' };

/** The statutory holidays of a year in a province by their day, with their names; null where no hub is. */
export function holidaysQuery(province: string, year: number) {
  const hub = hubOf[province];
  return queryOptions({
    queryKey: ['desk', 'calendar', 'holidays', province, year],
    queryFn: async ({ signal }): Promise<Record<string, string> | null> => {
      if (hub === undefined) return null;
      const query = { from: `${year}-01-01`, to: `${year}-12-31` };
      const { days } = await unwrap(api.GET('/calendar/{hub}', { params: { path: { hub }, query }, signal }));
      return Object.fromEntries(days.flatMap(({ date, holiday }) => (holiday ? [[date, holiday.name] as const] : [])));
    },
    meta,
  });
}

/** The first version of the standard card, with the figures that come with the program. */
export function beginRates(key: string): Promise<RateCard> {
  return unwrap(api.POST('/rates', { body: {}, params: { header: { 'Idempotency-Key': key } } }));
}

/** Adds the next version; `latest` is the highest one that was read. Nothing for `from` = at once. */
export function addVersion(id: string, latest: number, card: Card, from: string | null): Promise<RateCard> {
  const body = { card, ...(from === null ? {} : { effectiveFrom: from }) };
  return unwrap(api.PUT('/rates/{id}', { params: { path: { id }, header: ifMatch(latest) }, body }));
}

export function removeRate({ id }: Pick<RateVersion, 'id'>): Promise<unknown> {
  return unwrap(api.DELETE('/rates/{id}', { params: { path: { id } } }));
}

/** What other figures would make of the newest bookings, and of example moves. Nothing is changed. */
export function readEffect(id: string, card: Card, n: number, examples: EstimateRequest[]): Promise<RatePreview> {
  return unwrap(api.POST('/rates/{id}/preview', { params: { path: { id } }, body: { card, n, examples } }));
}
