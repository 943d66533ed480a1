import type { Address, Coordinates, GeoResult } from '@portage/api';

export interface AreaAnswer {
  served: boolean;
  /** `greater-montreal`, `ontario`, `greater-vancouver`, `alberta`. */
  area: string | null;
  /** False for a free text that the map only placed roughly. */
  exact: boolean;
}

/** An address on the map. Free text that was not found yet has no coordinates. */
export interface Place {
  address: Address;
  coords: Coordinates | null;
  area: AreaAnswer | null;
}

/** The fields of an address as they are typed by hand; `open` while they are what is on screen instead of the search. */
export interface ByHand {
  open: boolean;
  street: string;
  city: string;
  province: string;
  postalCode: string;
}

export function emptyByHand(): ByHand {
  return { open: false, street: '', city: '', province: 'QC', postalCode: '' };
}

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
  // a province out of a stored draft may be named like something that every object has
  return Object.hasOwn(letters, province) && Boolean(letters[province]?.includes(code.trim().charAt(0).toUpperCase()));
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

export function toPlace(result: GeoResult): Place {
  return { address: toAddress(result), coords: { lat: result.lat, lon: result.lon }, area: toArea(result) };
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
