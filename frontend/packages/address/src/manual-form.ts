import { type Address, api, ApiProblem, type GeoResult, unwrap } from '@portage/api';
import { currentLanguage } from '@portage/i18n';
import * as z from 'zod/mini';

import { isComplete, isPostalCode, type Place, postalCodeFits, toAddress, toArea } from './address.ts';

/** The fields of an address, with messages that are text keys. What passes is what `isComplete` takes. */
export const byHandSchema = z
  .object({
    street: z.string().check(
      z.trim(),
      z.refine((street) => /^\d/.test(street) && /\p{L}/u.test(street), { error: 'address:manual.streetError' }),
    ),
    city: z.string().check(z.trim(), z.minLength(1, 'common:form.required')),
    province: z.string(),
    postalCode: z.string().check(
      z.refine((code) => code.trim() !== '', { error: 'common:form.required' }),
      z.refine(isPostalCode, { error: 'common:form.invalid' }),
    ),
  })
  .check(
    // a code that is none has its own sentence
    z.refine(({ postalCode, province }) => !isPostalCode(postalCode) || postalCodeFits(postalCode, province), {
      error: 'common:form.codeElsewhere',
      path: ['postalCode'],
    }),
  );
export type ByHandValues = z.infer<typeof byHandSchema>;

export function addressOf(values: ByHandValues): Address {
  const { province } = values;
  const [street, city] = [values.street.trim(), values.city.trim()];
  const postalCode = values.postalCode
    .trim()
    .toUpperCase()
    .replace(/^(\w{3})\s?(\w{3})$/, '$1 $2');
  const fullAddress = `${street}, ${city}, ${province} ${postalCode}, Canada`;
  return { country: 'Canada', province, postalCode, city, street, unit: '', fullAddress };
}

async function search(q: string): Promise<GeoResult | undefined> {
  const { data } = await unwrap(api.GET('/geo/search', { params: { query: { q, lang: currentLanguage() } } }));
  return data[0];
}

export const unknownPlace = 'place_unknown';

/**
 * Puts a typed address on the map. When the street is unknown the postal code or the town stands in for distance and
 * service area, and the place is marked as rough: the words stay as the person wrote them. Rejects with `unknownPlace` when nothing is found.
 */
export async function locate(address: Address): Promise<Place> {
  const exact = await search(address.fullAddress);
  if (exact && isComplete(toAddress(exact))) {
    return { address: { ...toAddress(exact) }, coords: { lat: exact.lat, lon: exact.lon }, area: toArea(exact) };
  }
  const rough =
    (await search(`${address.postalCode} ${address.city}`)) ?? (await search(`${address.city}, ${address.province}`));
  if (!rough) throw new ApiProblem({ status: 404, code: unknownPlace });
  return { address, coords: { lat: rough.lat, lon: rough.lon }, area: toArea(rough, false) };
}
