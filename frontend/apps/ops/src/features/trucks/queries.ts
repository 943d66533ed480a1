import { api, ifMatch, type Truck, type TruckForm, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** Of everything that shows trucks. */
export const trucksKey = ['desk', 'trucks'] as const;
const meta = { personal: true };

export const listQuery = queryOptions({
  queryKey: [...trucksKey, 'list'],
  queryFn: ({ signal }) => unwrap(api.GET('/trucks', { signal })),
  meta,
});

export function readTruck(id: string): Promise<Truck> {
  return unwrap(api.GET('/trucks/{id}', { params: { path: { id } } }));
}

export function truckQuery(id: string) {
  return queryOptions({ queryKey: [...trucksKey, 'one', id] as readonly string[], queryFn: () => readTruck(id), meta });
}

export function addTruck(body: TruckForm, key: string): Promise<Truck> {
  return unwrap(api.POST('/trucks', { params: { header: { 'Idempotency-Key': key } }, body }));
}

export function changeTruck({ id, version }: Truck, body: TruckForm): Promise<Truck> {
  return unwrap(api.PUT('/trucks/{id}', { params: { path: { id }, header: ifMatch(version) }, body }));
}
