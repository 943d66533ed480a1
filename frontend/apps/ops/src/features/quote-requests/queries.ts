import { api, type QuoteRequestState, unwrap } from '@portage/api';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { requestKey } from '../../shell/request-query.ts';

const meta = { personal: true };

/** Which requests. */
export interface Wanted {
  page: number;
  perPage: number;
  state: QuoteRequestState | null;
  mine: boolean;
  value: string;
}

export function listQuery({ page, perPage, state, mine, value }: Wanted) {
  return queryOptions({
    queryKey: [...requestKey, 'list', page, perPage, state, mine, value],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/quote-requests', {
          params: {
            query: {
              page,
              per_page: perPage,
              ...(state ? { state } : {}),
              ...(mine ? { mine } : {}),
              ...(value ? { value } : {}),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    meta,
  });
}

/** Takes it, gives it back or ends it; refused when somebody else was first. */
export function setState({ id, version }: { id: string; version: number }, state: QuoteRequestState) {
  return unwrap(
    api.PUT('/quote-requests/{id}', {
      params: { path: { id }, header: { 'If-Match': `"${version}"` } },
      body: { state },
    }),
  );
}
