import { api, ifMatch, type Partner, type PartnerForm, type PartnerState, unwrap } from '@portage/api';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

/** Of everything that shows partners. */
export const partnersKey = ['desk', 'partners'] as const;
const meta = { personal: true };

export function listQuery(value: string, state: PartnerState | undefined, page: number, per_page: number) {
  const query = { page, per_page, ...(value ? { value: value.slice(0, 100) } : {}), ...(state ? { state } : {}) };
  return queryOptions({
    queryKey: [...partnersKey, 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/partner', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    meta,
  });
}

export function readPartner(id: string): Promise<Partner> {
  return unwrap(api.GET('/partner/{id}', { params: { path: { id } } }));
}

export function partnerQuery(id: string) {
  return queryOptions({
    queryKey: [...partnersKey, 'one', id] as readonly string[],
    queryFn: () => readPartner(id),
    meta,
  });
}

export function addPartner(body: PartnerForm, key: string): Promise<Partner> {
  return unwrap(api.POST('/partner', { params: { header: { 'Idempotency-Key': key } }, body }));
}

export function changePartner({ id, version }: Partner, body: PartnerForm): Promise<Partner> {
  return unwrap(api.PUT('/partner/{id}', { params: { path: { id }, header: ifMatch(version) }, body }));
}
