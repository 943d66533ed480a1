import { api, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** All furniture and the ready-made inventories, in the three languages; does not change within a visit. */
export const catalogueQuery = queryOptions({
  queryKey: ['/furniture'],
  queryFn: () => unwrap(api.GET('/furniture', {})),
  staleTime: Number.POSITIVE_INFINITY,
});
