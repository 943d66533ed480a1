import { type Place, toAddress, toArea } from '@portage/address';
import { accessibilities, type Accessibility, type Address, api, unwrap } from '@portage/api';
import { currentLanguage } from '@portage/i18n';

import { draftStore } from '../../booking/draft/draft-store.ts';
import { longestCode } from '../../booking/draft/draft.ts';
import { changeEnd, type DraftEnd, type End, ends, floorRange } from '../../booking/draft/ends.ts';

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
  discountCode?: string;
  changes: Record<End, Partial<DraftEnd>>;
  addresses: Partial<Record<End, string>>;
} {
  const changes: Record<End, Partial<DraftEnd>> = { pickup: {}, dropoff: {} };
  const addresses: Partial<Record<End, string>> = {};
  for (const end of ends) {
    const change = changes[end];
    const full = query.get(`${end}FullAddress`)?.trim();
    if (full) addresses[end] = full;
    const apt = query.get(`${end}Apt`)?.trim();
    if (apt) change.unit = apt.slice(0, 20);
    const floorText = query.get(`${end}Floor`)?.trim();
    const floor = Number(floorText);
    if (floorText && Number.isInteger(floor) && floor >= floorRange.min && floor <= floorRange.max)
      change.floor = floor;
    const parking = parseParking(query.get(`${end}Parking`) ?? '');
    if (parking !== null) change.parking = parking;
    const access = query.get(`${end}Accessibility`)?.trim().toLowerCase();
    const known = accessibilities.find((value): value is Accessibility => value === access);
    if (known) change.accessibility = known;
  }
  const discount = query.get('discount')?.trim();
  // a longer one is no code: the price would refuse the whole question because of it
  return { changes, addresses, ...(discount && discount.length <= longestCode ? { discountCode: discount } : {}) };
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
  const put = (place: Place) => draftStore.patch(changeEnd(draftStore.get(), end, { place }));
  put({ address: unfound, coords: null, area: null });
  draftStore.patch({ locationsConfirmed: false });
  const { data } = await unwrap(api.GET('/geo/search', { params: { query: { q: text, lang: currentLanguage() } } }));
  const best = data[0];
  // the person may have chosen another address meanwhile
  if (!best || draftStore.get().ends[end].place?.address.fullAddress !== text) return;
  put({ address: toAddress(best), coords: { lat: best.lat, lon: best.lon }, area: toArea(best) });
}

/** Applies a link's parameters once, except to a booking that is being changed, and takes them out of the address bar, so that a reload does not undo later edits. */
export function applyPrefill(url: URL): void {
  if (!parameters.some((name) => url.searchParams.has(name))) return;
  const { changes, addresses, ...rest } = readPrefill(url.searchParams);
  const editing = draftStore.get().editing !== null;
  if (!editing) draftStore.patch(rest);
  for (const end of editing ? [] : ends) {
    draftStore.patch(changeEnd(draftStore.get(), end, changes[end]));
    const text = addresses[end];
    if (text) geocode(end, text).catch(() => {}); // the search field of step 1 keeps the text and can be tried again
  }
  for (const name of parameters) url.searchParams.delete(name);
  history.replaceState(history.state, '', url);
}
