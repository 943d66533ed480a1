import { api, asProblem, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** What the link of a mailed quote leads to. Nobody has to be signed in: the link itself is the key. */
export function quoteOfLinkQuery(token: string) {
  return queryOptions({
    queryKey: ['/quotes', token],
    queryFn: ({ signal }) => unwrap(api.GET('/quotes/{id}', { params: { path: { id: token } }, signal })),
    // it may have lapsed while the page was open
    staleTime: 0,
    refetchOnWindowFocus: true,
    retry: (failures, error) => failures < 2 && asProblem(error).transient,
  });
}
