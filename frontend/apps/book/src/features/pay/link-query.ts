import { api, asProblem, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** While a payment is at the gateway, it is asked for again after this many milliseconds. */
export const askAgainMs = 3000;

/** What a payment link leads to. Nobody has to be signed in: the link itself is the key. */
export function linkQuery(token: string) {
  return queryOptions({
    queryKey: ['/pay', token],
    queryFn: ({ signal }) => unwrap(api.GET('/pay/{id}', { params: { path: { id: token } }, signal })),
    // it may have been paid in another tab or changed at the desk
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data?.state === 'working' ? askAgainMs : false),
    retry: (failures, error) => failures < 2 && asProblem(error).transient,
  });
}
