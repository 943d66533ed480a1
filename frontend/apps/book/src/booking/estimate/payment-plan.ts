import { api, provinceOf, unwrap } from '@portage/api';
import { useQuery } from '@tanstack/react-query';

import { useDraft } from '../draft/draft-store.ts';
import { useEstimate } from './estimate-context.tsx';

/**
 * When this very booking would be charged and what cancelling would cost. Every page that shows a plan asks here, so that
 * all of them ask the same. `agreed` is a total the server has named meanwhile; otherwise the estimate's counts, once it
 * answers the draft.
 */
export function usePaymentPlan(agreed = '') {
  const { startsAt, ends } = useDraft();
  const { estimate, phase } = useEstimate();
  const total = agreed || (phase === 'fresh' && estimate ? estimate.total : null);
  const province = provinceOf(ends.pickup.place?.address.province ?? '');
  return useQuery({
    queryKey: ['/booking/payment-plan', total, startsAt, province],
    enabled: total !== null && startsAt !== null,
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/booking/payment-plan', { body: { total: total ?? '', moveAt: startsAt ?? '', province }, signal }),
      ),
    // the clock of the plan starts at booking, so an old answer drifts
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
}
