import { api, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

export const requestKey = ['desk', 'quote-requests'] as const;

/** A request for a quote with its draft: its own page shows it, and the order form begins with it. */
export function requestQuery(id: string) {
  return queryOptions({
    queryKey: [...requestKey, 'one', id],
    queryFn: ({ signal }) => unwrap(api.GET('/quote-requests/{id}', { params: { path: { id } }, signal })),
    meta: { personal: true },
  });
}
