import { api, provinceOf, unwrap } from '@portage/api';
import { useQuery } from '@tanstack/react-query';

/** The dated charges if this were booked now. Asked again after a while, because "in 24 hours" moves. */
export function usePaymentPlan(total: string, moveAt: string | null, province: string | null) {
  return useQuery({
    queryKey: ['/booking/payment-plan', total, moveAt, province],
    enabled: total !== '' && moveAt !== null,
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/booking/payment-plan', {
          body: { total, moveAt: moveAt ?? '', province: provinceOf(province ?? '') },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
}
