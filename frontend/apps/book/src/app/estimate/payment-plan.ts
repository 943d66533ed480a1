import { api, unwrap } from '@portage/api';
import { useQuery } from '@tanstack/react-query';

import { useDraft } from '../draft/draft-store.ts';
import { useEstimate } from './estimate-context.tsx';

/** When this very booking would be charged and what cancelling would cost; only for a price that answers the draft. */
export function usePaymentPlan() {
  const { startsAt } = useDraft();
  const { estimate, phase } = useEstimate();
  const total = phase === 'fresh' && estimate ? estimate.total : null;
  return useQuery({
    queryKey: ['/booking/payment-plan', total, startsAt],
    enabled: total !== null && startsAt !== null,
    queryFn: ({ signal }) =>
      unwrap(api.POST('/booking/payment-plan', { body: { total: total ?? '', moveAt: startsAt ?? '' }, signal })),
    // the clock of the plan starts at booking, so an old answer drifts
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
}
