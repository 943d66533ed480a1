import { api, type PublicConfig, unwrap } from '@portage/api';
import { queryOptions, useQuery } from '@tanstack/react-query';

import { queryClient } from './query-client.ts';

/** Reads the server's public settings: identity provider, payment and chat providers, support address. They do not change within a visit. */
export const configQuery = queryOptions({
  queryKey: ['/config'],
  queryFn: () => unwrap(api.GET('/config', {})),
  staleTime: Number.POSITIVE_INFINITY,
});

export function loadConfig(): Promise<PublicConfig> {
  return queryClient.ensureQueryData(configQuery);
}

export function useConfig(): PublicConfig | undefined {
  return useQuery(configQuery).data;
}
