import { api, type Comparison, type Difference, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

export const reconciliationKey = ['desk', 'reconciliation'] as const;

export const reconciliationQuery = queryOptions({
  queryKey: reconciliationKey,
  queryFn: ({ signal }) => unwrap(api.GET('/reconciliation', { signal })),
  meta: { personal: true },
});

/** Has everything compared; answers since when a comparison is the answer to it. */
export const compareNow = () => unwrap(api.POST('/reconciliation', {}));

export const repairOf = (id: string, key: string) =>
  unwrap(
    api.POST('/reconciliation/{id}/repair', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
    }),
  );

/** What waits for somebody comes first, in the order in which it was found. */
export function inOrder({ differences }: Comparison): Difference[] {
  const open = (one: Difference) => one.standing === 'open';
  return [...differences.filter(open), ...differences.filter((one) => !open(one))];
}
