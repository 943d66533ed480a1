import { isPostalCode } from '@portage/address';
import { api, type EstimateRequest, provinceOf, unwrap } from '@portage/api';
import { parseCents } from '@portage/domain';
import { useLanguage } from '@portage/i18n';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';

import { useSettled } from '../../../shell/use-settled.ts';
import { estimateOf, matesOf, type OrderForm, type Route } from './form.ts';

/** So many days stand beside each other. */
export const shownDays = 14;

function useRoute({ ends }: OrderForm) {
  const [pickup, dropoff] = [ends.pickup.place?.coords ?? null, ends.dropoff.place?.coords ?? null];
  return useQuery({
    queryKey: ['/geo/route', pickup, dropoff],
    queryFn:
      pickup && dropoff
        ? async ({ signal }): Promise<Route> => {
            const found = await unwrap(api.POST('/geo/route', { body: { pickup, dropoff }, signal }));
            const tenths = Math.round(found.distanceMeters / 100);
            return {
              minutes: Math.max(1, Math.round(found.durationSeconds / 60)),
              km: `${Math.floor(tenths / 10)}.${tenths % 10}`,
            };
          }
        : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The price of what has been said so far, and the dates of its policy. */
export function useOrderPrice(form: OrderForm) {
  const language = useLanguage();
  const route = useRoute(form);
  const asked = estimateOf(form, route.data ?? null);
  const settled = useSettled(asked);
  const settling = JSON.stringify(asked) !== JSON.stringify(settled);
  const estimate = useQuery({
    queryKey: ['/booking/estimate', settled, language],
    queryFn: settled ? ({ signal }) => unwrap(api.POST('/booking/estimate', { body: settled, signal })) : skipToken,
    placeholderData: settled ? keepPreviousData : undefined,
    staleTime: 60_000,
    retry: 1,
  });
  const total = estimate.data?.total;
  const moveAt = form.startsAt;
  const province = asked?.pickupAddress?.province ?? null;
  const plan = useQuery({
    queryKey: ['/booking/payment-plan', total, moveAt, province],
    queryFn:
      total !== undefined && moveAt
        ? ({ signal }) => unwrap(api.POST('/booking/payment-plan', { body: { total, moveAt, province }, signal }))
        : skipToken,
    placeholderData: moveAt ? keepPreviousData : undefined,
    // its dates count from now
    staleTime: 60_000,
  });
  return {
    /** Nothing can be asked yet. */
    incomplete: asked === null && !route.isError,
    /** The question that the figures answer, once they do. */
    asked: settled,
    route,
    estimate,
    plan,
    /** The figures are not those of what stands in the form now. */
    settling: settling || estimate.isPlaceholderData || (asked !== null && estimate.isFetching),
  };
}
export type OrderPrice = ReturnType<typeof useOrderPrice>;

/** Free starts of two weeks, for this crew and length once they are known. */
export function useFreeStarts(form: OrderForm, price: OrderPrice, from: string) {
  const { pickup, dropoff } = form.ends;
  const at = pickup.place;
  const to = dropoff.place?.address;
  const { duration, tier } = price.estimate.data ?? {};
  const query = {
    date: from,
    days: shownDays,
    mateCount: matesOf(form),
    justMates: form.move.justMates,
    moveKind: form.kind,
    province: provinceOf(at?.address.province ?? '') ?? 'QC',
    ...(at
      ? {
          city: at.address.city,
          ...(isPostalCode(at.address.postalCode) ? { postalCode: at.address.postalCode } : {}),
          ...at.coords,
        }
      : {}),
    ...(to
      ? {
          dropoffProvince: provinceOf(to.province) ?? 'QC',
          dropoffCity: to.city,
          ...(isPostalCode(to.postalCode) ? { dropoffPostalCode: to.postalCode } : {}),
        }
      : {}),
    ...(duration === undefined ? {} : { duration }),
    ...(tier === undefined ? {} : { tier }),
  };
  return useQuery({
    queryKey: ['/availability', query],
    // without a pickup no hub is known, and every day would look closed
    queryFn: at ? ({ signal }) => unwrap(api.GET('/availability', { params: { query }, signal })) : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
}

/** What this move costs on each of those days: `can I have Friday?` has an answer before anything is chosen. */
export function useDayTotals(price: OrderPrice, from: string) {
  const language = useLanguage();
  const asked: EstimateRequest | null = price.asked ? { ...price.asked, movingDate: null } : null;
  return useQuery({
    queryKey: ['/booking/prices', from, asked, language],
    queryFn: asked
      ? async ({ signal }) => {
          const body = { ...asked, from, days: shownDays };
          const { days } = await unwrap(api.POST('/booking/prices', { body, signal }));
          return new Map(
            days.filter(({ total }) => parseCents(total) !== null).map(({ date, total }) => [date, total]),
          );
        }
      : skipToken,
    placeholderData: asked ? keepPreviousData : undefined,
    staleTime: 60_000,
    retry: 1,
  });
}
