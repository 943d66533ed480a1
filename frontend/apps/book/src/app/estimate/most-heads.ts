import { api, unwrap } from '@portage/api';
import { useQuery } from '@tanstack/react-query';

/** The largest crew of the first rate card; stands in until the one in force has answered. */
const usual = 4;

/**
 * The largest crew that can be booked online, the helping customer included: the rate card says it, and the server
 * refuses larger ones.
 */
export function useMostHeads(): number {
  const card = useQuery({ queryKey: ['/rates/active'], queryFn: () => unwrap(api.GET('/rates/active', {})) });
  return card.data?.max_online_heads ?? usual;
}
