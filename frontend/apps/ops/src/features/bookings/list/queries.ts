import { api, type BookingOrder, type DeskFilters, unwrap } from '@portage/api';
import type { Sort } from '@portage/kit/desk/table';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

export interface ListAsked {
  /** What is searched for; empty for nothing. */
  value: string;
  filters: DeskFilters;
  /** Moves of the past, too, although no filter is set. */
  all: boolean;
  sort: Sort | null;
  page: number;
  perPage: number;
}

/** An order of the list as the calls name it. */
export function orderOf({ by, descending }: Sort): BookingOrder {
  return `${descending ? '-' : ''}${by}` as BookingOrder;
}

/** The call that answers a list, and what it is given. */
export function callOf({ value, filters, all, sort, page, perPage }: ListAsked) {
  const filtered = Object.keys(filters).length > 0;
  const shown = { ...(sort ? { sort: orderOf(sort) } : {}), page, per_page: perPage };
  const text = JSON.stringify(filters);
  if (value && filtered) return { path: '/searchFiltered', query: { value, filters: text, ...shown } } as const;
  if (value) return { path: '/search', query: { value, ...shown } } as const;
  if (filtered || all) return { path: '/filter', query: { filters: text, ...shown } } as const;
  return { path: '/bookings', query: shown } as const;
}

/** A page of the list. The rows of before stay while the next ones come. */
export function listQuery(asked: ListAsked) {
  const { path, query } = callOf(asked);
  return queryOptions({
    queryKey: ['desk', 'bookings', path, query],
    queryFn: ({ signal }) => unwrap(api.GET(path, { params: { query }, signal })),
    placeholderData: keepPreviousData,
    meta: { personal: true },
  });
}

export const viewsQuery = queryOptions({
  queryKey: ['desk', 'views'],
  queryFn: () => unwrap(api.GET('/views', {})),
  meta: { personal: true },
});

/** The file of what the filters and the search select. */
export function exportFile({ value, filters, sort }: Pick<ListAsked, 'value' | 'filters' | 'sort'>): Promise<Blob> {
  const query = {
    filters: JSON.stringify(filters),
    ...(value ? { value } : {}),
    ...(sort ? { sort: orderOf(sort) } : {}),
  };
  return unwrap(api.GET('/bookings/export', { params: { query }, parseAs: 'blob' }));
}
