import { api, ifMatch, type Mate, type MateForm, type MateState, unwrap } from '@portage/api';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

/** Of everything that shows mates. */
export const matesKey = ['desk', 'mates'] as const;
const meta = { personal: true };

export function listQuery(value: string, state: MateState | undefined, page: number, per_page: number) {
  const query = { page, per_page, ...(value ? { value: value.slice(0, 100) } : {}), ...(state ? { state } : {}) };
  return queryOptions({
    queryKey: [...matesKey, 'list', query],
    queryFn: ({ signal }) => unwrap(api.GET('/mate', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    meta,
  });
}

export function readMate(id: string): Promise<Mate> {
  return unwrap(api.GET('/mate/{id}', { params: { path: { id } } }));
}

export function mateQuery(id: string) {
  return queryOptions({ queryKey: [...matesKey, 'one', id] as readonly string[], queryFn: () => readMate(id), meta });
}

export function addMate(body: MateForm, key: string): Promise<Mate> {
  return unwrap(api.POST('/mate', { params: { header: { 'Idempotency-Key': key } }, body }));
}

export function changeMate({ id, version }: Mate, body: MateForm): Promise<Mate> {
  return unwrap(api.PUT('/mate/{id}', { params: { path: { id }, header: ifMatch(version) }, body }));
}
