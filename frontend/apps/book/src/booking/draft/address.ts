import type { AreaAnswer, Place } from '@portage/address';
import { type EstimateRequest, provinceOf } from '@portage/api';

import type { Draft } from './draft.ts';

/** An address as requests take it: what is not known is left out. */
export function requestAddress({ address, coords }: Place): NonNullable<EstimateRequest['pickupAddress']> {
  return {
    province: provinceOf(address.province),
    city: address.city,
    postalCode: address.postalCode,
    ...coords,
  };
}

export type AreaVerdict = 'unknown' | 'ok' | 'needsMontreal' | 'refused';

/**
 * May it be booked? Both ends served, or one of them in Greater Montreal. With one end chosen and unserved the other
 * must be in Montreal. Where the search did not say, the server decides later.
 */
export function areaVerdict({ pickup, dropoff }: Draft['ends']): AreaVerdict {
  const a = pickup.place?.area ?? null;
  const b = dropoff.place?.area ?? null;
  const montreal = (area: AreaAnswer | null) => area?.area === 'greater-montreal';
  if (montreal(a) || montreal(b)) return 'ok';
  if (a && b) return a.served && b.served ? 'ok' : 'refused';
  const one = a ?? b;
  if (one && !one.served) return 'needsMontreal';
  return 'unknown';
}
