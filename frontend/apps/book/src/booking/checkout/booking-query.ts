import { api, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** One's own booking with everything its page shows. */
export function bookingQuery(id: string) {
  return queryOptions({
    queryKey: ['/c/bookings', id],
    queryFn: () => unwrap(api.GET('/c/bookings/{id}', { params: { path: { id } } })),
    meta: { personal: true },
  });
}

/** Rows of a page, as the specification says. */
export const pageSize = 5;

export function previousQuery(page: number) {
  return queryOptions({
    queryKey: ['/bookings/previous', page],
    queryFn: () => unwrap(api.GET('/bookings/previous', { params: { query: { page, per_page: pageSize } } })),
    meta: { personal: true },
  });
}
