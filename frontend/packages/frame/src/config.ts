import { api, type PublicConfig, unwrap } from '@portage/api';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';

import { queryClient } from './query-client.ts';

/** Reads the server's public settings: identity provider, payment and chat providers, support address. They do not change within a visit. */
export const configQuery = queryOptions({
  queryKey: ['/config'],
  queryFn: () => unwrap(api.GET('/config', {})),
  staleTime: Number.POSITIVE_INFINITY,
  // whatever on a page waits for the settings comes when the server answers again, without a press
  refetchInterval: ({ state }) =>
    state.status === 'error' ? Math.min(2500 * 2 ** Math.min(state.errorUpdateCount, 5), 60_000) : false,
});

export function loadConfig(): Promise<PublicConfig> {
  return queryClient.ensureQueryData(configQuery);
}

export function useConfig(): PublicConfig | undefined {
  return useQuery(configQuery).data;
}

/** The settings for a page that cannot do without them (`QueryState`). A try that repeats itself changes nothing on it until it ends well. */
export function useConfigQuery() {
  const { data, error, refetch } = useQuery(configQuery);
  const former = useRef(error);
  if (error) former.current = error;
  const isError = data === undefined && former.current !== null;
  return { data, error: former.current, isError, isPending: data === undefined && !isError, refetch };
}
