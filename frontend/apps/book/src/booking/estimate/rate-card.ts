import { api, unwrap } from '@portage/api';
import { queryOptions, useQuery } from '@tanstack/react-query';

export const rateCardQuery = queryOptions({
  queryKey: ['/rates/active'],
  queryFn: () => unwrap(api.GET('/rates/active', {})),
  staleTime: 10 * 60_000,
});

/** What is taken for the limit until the rate card has been read; the server decides in any case. */
const usual = 6;

/** People of the largest crew that can be booked online, a helping customer counted: a figure of the rate card. */
export function useLargestCrew(): number {
  const { data } = useQuery(rateCardQuery);
  const most: unknown = (data as { max_online_heads?: unknown } | undefined)?.max_online_heads;
  return typeof most === 'number' && most >= 1 ? most : usual;
}
