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
  /** Today on Montreal's calendar: with nothing asked for, the list begins there. */
  today: string;
}

/** An order of the list as the calls name it. */
export function orderOf({ by, descending }: Sort): BookingOrder {
  return `${descending ? '-' : ''}${by}` as BookingOrder;
}

/** The filters that are meant: what comes up has no past, in whatever order. */
const meant = ({ value, filters, all, today }: Pick<ListAsked, 'value' | 'filters' | 'all' | 'today'>): DeskFilters =>
  value || all || Object.keys(filters).length > 0 ? filters : { bookingDateFrom: today };

/** The call that answers a list, and what it is given. */
export function callOf(asked: ListAsked) {
  const { value, filters, all, sort, page, perPage } = asked;
  const filtered = Object.keys(filters).length > 0;
  const shown = { ...(sort ? { sort: orderOf(sort) } : {}), page, per_page: perPage };
  const text = JSON.stringify(filters);
  if (value && filtered) return { path: '/searchFiltered', query: { value, filters: text, ...shown } } as const;
  if (value) return { path: '/search', query: { value, ...shown } } as const;
  if (filtered || all) return { path: '/filter', query: { filters: text, ...shown } } as const;
  // this call leaves the past out only while no order is named
  if (!sort || orderOf(sort) === 'moveAt') return { path: '/bookings', query: { page, per_page: perPage } } as const;
  return { path: '/filter', query: { filters: JSON.stringify(meant(asked)), ...shown } } as const;
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
export function exportFile(asked: ListAsked): Promise<Blob> {
  const { value, sort } = asked;
  const query = {
    filters: JSON.stringify(meant(asked)),
    ...(value ? { value } : {}),
    ...(sort ? { sort: orderOf(sort) } : {}),
  };
  return unwrap(api.GET('/bookings/export', { params: { query }, parseAs: 'blob' }));
}
