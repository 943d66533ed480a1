import { api, asProblem, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** Whose commercial mail a link stops. Nobody has to be signed in: the link itself is the key. */
export function unsubscribeQuery(token: string) {
  return queryOptions({
    queryKey: ['/unsubscribe', token],
    queryFn: ({ signal }) => unwrap(api.GET('/unsubscribe/{id}', { params: { path: { id: token } }, signal })),
    // it may have been pressed in another tab, or in the mail program
    staleTime: 0,
    refetchOnWindowFocus: true,
    retry: (failures, error) => failures < 2 && asProblem(error).transient,
  });
}
