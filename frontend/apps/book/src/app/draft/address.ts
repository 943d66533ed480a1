import { type Address, type Coordinates, type EstimateRequest, type GeoResult, provinceOf } from '@portage/api';

import type { AreaAnswer, Draft } from './draft.ts';

const postalCode = /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d$/i;

export function isPostalCode(text: string): boolean {
  return postalCode.test(text.trim());
}

// first letter of the postal code by province (Canada Post)
const letters: Record<string, string> = {
  AB: 'T',
  BC: 'V',
  MB: 'R',
  NB: 'E',
  NL: 'A',
  NS: 'B',
  NT: 'X',
  NU: 'X',
  ON: 'KLMNP',
  PE: 'C',
  QC: 'GHJ',
  SK: 'S',
  YT: 'Y',
};

/** An address that contradicts itself would be priced and taxed in the wrong place. */
export function postalCodeFits(code: string, province: string): boolean {
  return letters[province]?.includes(code.trim().charAt(0).toUpperCase()) ?? false;
}

/** An address as requests take it: what is not known is left out. */
export function requestAddress(
  address: Address,
  coords: Coordinates | null,
): NonNullable<EstimateRequest['pickupAddress']> {
  return {
    province: provinceOf(address.province),
    city: address.city,
    postalCode: address.postalCode,
    ...coords,
  };
}

export function toAddress(result: GeoResult, unit = ''): Address {
  return {
    country: result.country || 'Canada',
    province: result.province ?? '',
    postalCode: result.postalCode ?? '',
    city: result.city,
    street: result.street,
    unit,
    fullAddress: result.fullAddress,
  };
}

export function toArea(result: GeoResult, exact = true): AreaAnswer {
  return { served: result.served ?? true, area: result.area ?? null, exact };
}

/** Street number, street name, city, postal code, province and country: what a truck needs to find a door. */
export function isComplete(address: Address): boolean {
  return (
    /^\d/.test(address.street.trim()) &&
    /\p{L}/u.test(address.street) &&
    address.city.trim() !== '' &&
    isPostalCode(address.postalCode) &&
    postalCodeFits(address.postalCode, address.province) &&
    address.country.trim() !== ''
  );
}

export type AreaVerdict = 'unknown' | 'ok' | 'needsMontreal' | 'refused';

/**
 * May it be booked? Both ends served, or one of them in Greater Montreal. With one end chosen and unserved the other
 * must be in Montreal. Where the search did not say, the server decides later.
 */
export function areaVerdict(draft: Pick<Draft, 'pickupArea' | 'dropoffArea'>): AreaVerdict {
  const { pickupArea: a, dropoffArea: b } = draft;
  const montreal = (area: AreaAnswer | null) => area?.area === 'greater-montreal';
  if (montreal(a) || montreal(b)) return 'ok';
  if (a && b) return a.served && b.served ? 'ok' : 'refused';
  const one = a ?? b;
  if (one && !one.served) return 'needsMontreal';
  return 'unknown';
}
