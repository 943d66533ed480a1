import { api, asProblem, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** What a link asks to agree to. Nobody has to be signed in: the link itself is the key. */
export function consentQuery(token: string) {
  return queryOptions({
    queryKey: ['/consent', token],
    queryFn: ({ signal }) => unwrap(api.GET('/consent/{id}', { params: { path: { id: token } }, signal })),
    // it may have been answered in another tab, or the booking changed
    staleTime: 0,
    refetchOnWindowFocus: true,
    retry: (failures, error) => failures < 2 && asProblem(error).transient,
  });
}
