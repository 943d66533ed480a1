import { api, unwrap } from '@portage/api';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

const meta = { personal: true };

/** Charges that were declined or given up. */
export const failedQuery = (page: number, perPage: number) =>
  queryOptions({
    queryKey: ['desk', 'failed', page, perPage],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/payments/failed', { params: { query: { page, per_page: perPage } }, signal })),
    placeholderData: keepPreviousData,
    meta,
  });

/** Charges that their cardholders dispute, and what came of it. */
export const disputesQuery = (page: number, perPage: number) =>
  queryOptions({
    queryKey: ['desk', 'disputes', page, perPage],
    queryFn: ({ signal }) => unwrap(api.GET('/disputes', { params: { query: { page, per_page: perPage } }, signal })),
    placeholderData: keepPreviousData,
    meta,
  });
