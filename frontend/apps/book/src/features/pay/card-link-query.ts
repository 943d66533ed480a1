import { api, asProblem, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

import { askAgainMs } from './link-query.ts';

/** What a link for another card is about. Nobody has to be signed in: the link itself is the key. */
export function cardLinkQuery(token: string) {
  return queryOptions({
    queryKey: ['/card', token],
    queryFn: ({ signal }) => unwrap(api.GET('/card/{id}', { params: { path: { id: token } }, signal })),
    // a card may have been added in another tab, or a charge made meanwhile
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data?.state === 'working' ? askAgainMs : false),
    retry: (failures, error) => failures < 2 && asProblem(error).transient,
  });
}
