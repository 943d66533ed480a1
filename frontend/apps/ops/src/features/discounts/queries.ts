import { api, type DiscountCode, ifMatch, type DiscountTerms, unwrap } from '@portage/api';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

/** Of everything that shows discount codes. */
export const discountsKey = ['desk', 'discounts'] as const;
const meta = { personal: true };
const usesAtOnce = 25;

export function listQuery(value: string, page: number, per_page: number) {
  return queryOptions({
    queryKey: [...discountsKey, 'list', value, page, per_page],
    queryFn: ({ signal }) =>
      value
        ? unwrap(
            api.GET('/discounts/search', { params: { query: { value: value.slice(0, 100), page, per_page } }, signal }),
          )
        : unwrap(api.GET('/discounts', { params: { query: { page, per_page } }, signal })),
    placeholderData: keepPreviousData,
    meta,
  });
}

export function readDiscount(id: string): Promise<DiscountCode> {
  return unwrap(api.GET('/discounts/{id}', { params: { path: { id } } }));
}

export function discountQuery(id: string) {
  return queryOptions({
    queryKey: [...discountsKey, 'one', id] as readonly string[],
    queryFn: () => readDiscount(id),
    meta,
  });
}

/** The bookings that used a code, a page at a time. */
export function usesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...discountsKey, 'uses', id],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/discounts/{id}/uses', {
          params: { path: { id }, query: { page: pageParam, per_page: usesAtOnce } },
          signal,
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : undefined),
    meta,
  });
}

export function addDiscount(body: DiscountTerms, key: string): Promise<DiscountCode> {
  return unwrap(api.POST('/discounts', { params: { header: { 'Idempotency-Key': key } }, body }));
}

export function changeDiscount({ id, version }: DiscountCode, body: DiscountTerms): Promise<DiscountCode> {
  return unwrap(api.PUT('/discounts/{id}', { params: { path: { id }, header: ifMatch(version) }, body }));
}

export function removeDiscount({ id, version }: DiscountCode): Promise<unknown> {
  return unwrap(api.DELETE('/discounts/{id}', { params: { path: { id }, header: ifMatch(version) } }));
}
