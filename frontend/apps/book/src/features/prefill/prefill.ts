import { toAddress } from '@portage/address';
import { accessibilities, type Accessibility, type Address, api, unwrap } from '@portage/api';
import { currentLanguage } from '@portage/i18n';

import { draftStore } from '../../booking/draft/draft-store.ts';
import { type Draft, floorRange, longestCode } from '../../booking/draft/draft.ts';

const ends = ['pickup', 'dropoff'] as const;
type End = (typeof ends)[number];

const parameters = [
  'discount',
  ...ends.flatMap((end) => [`${end}FullAddress`, `${end}Apt`, `${end}Floor`, `${end}Parking`, `${end}Accessibility`]),
];

function parseParking(text: string): boolean | null {
  const plain = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'oui', 'on'].includes(plain)) return true;
  if (['0', 'false', 'no', 'non', 'off'].includes(plain)) return false;
  return null;
}

/** What the query says about the draft; a value that cannot be read is left out rather than guessed. */
export function readPrefill(query: URLSearchParams): {
  patch: Partial<Draft>;
  addresses: Partial<Record<End, string>>;
} {
  const patch: Partial<Draft> = {};
  const addresses: Partial<Record<End, string>> = {};
  const discount = query.get('discount')?.trim();
  // a longer one is no code: the price would refuse the whole question because of it
  if (discount && discount.length <= longestCode) patch.discountCode = discount;
  for (const end of ends) {
    const full = query.get(`${end}FullAddress`)?.trim();
    if (full) addresses[end] = full;
    const apt = query.get(`${end}Apt`)?.trim();
    if (apt) patch[`${end}AptUnit`] = apt.slice(0, 20);
    const floorText = query.get(`${end}Floor`)?.trim();
    const floor = Number(floorText);
    if (floorText && Number.isInteger(floor) && floor >= floorRange.min && floor <= floorRange.max)
      patch[`${end}Floor`] = floor;
    const parking = parseParking(query.get(`${end}Parking`) ?? '');
    if (parking !== null) patch[`${end}HasParking`] = parking;
    const access = query.get(`${end}Accessibility`)?.trim().toLowerCase();
    const known = accessibilities.find((value): value is Accessibility => value === access);
    if (known) patch[`${end}Accessibility`] = known;
  }
  return { patch, addresses };
}

async function geocode(end: End, text: string): Promise<void> {
  const unfound: Address = {
    country: 'Canada',
    province: '',
    postalCode: '',
    city: '',
    street: '',
    unit: '',
    fullAddress: text,
  };
  // shown at once, so that nothing of the link is lost when the search fails; without coordinates the step stays open
  draftStore.patch({ [end]: unfound, [`${end}Coords`]: null, locationsConfirmed: false });
  const { data } = await unwrap(api.GET('/geo/search', { params: { query: { q: text, lang: currentLanguage() } } }));
  const best = data[0];
  // the person may have chosen another address meanwhile
  if (!best || draftStore.get()[end]?.fullAddress !== text) return;
  draftStore.patch({
    [end]: toAddress(best),
    [`${end}Coords`]: { lat: best.lat, lon: best.lon },
    [`${end}Area`]: { served: best.served ?? true, area: best.area ?? null, exact: true },
  });
}

/** Applies a link's parameters once and takes them out of the address bar, so that a reload does not undo later edits. */
export function applyPrefill(url: URL): void {
  if (!parameters.some((name) => url.searchParams.has(name))) return;
  const { patch, addresses } = readPrefill(url.searchParams);
  draftStore.patch(patch);
  for (const end of ends) {
    const text = addresses[end];
    if (text) geocode(end, text).catch(() => {}); // the search field of step 1 keeps the text and can be tried again
  }
  for (const name of parameters) url.searchParams.delete(name);
  history.replaceState(history.state, '', url);
}
