import { type ByHand, emptyByHand, isComplete, type Place } from '@portage/address';
import { accessibilities } from '@portage/api';
import * as z from 'zod/mini';

import { type Draft, floorRange } from '../../booking/draft/draft.ts';

export const ends = ['pickup', 'dropoff'] as const;
export type End = (typeof ends)[number];

export const elevatorRange = { min: 0, max: 9 } as const;

/** Is there an address begun, in the search or by hand, that was not taken? */
function begun({ typed, byHand }: { typed: string | null; byHand: ByHand }): boolean {
  const fields = byHand.open ? [byHand.street, byHand.city, byHand.postalCode] : [typed ?? ''];
  return fields.some((text) => text.trim() !== '');
}

// every check names its own sentence: what the library says by itself is English
const invalid = 'common:form.invalid';
const wholeNumber = (range: { min: number; max: number }) =>
  z.number(invalid).check(z.int(invalid), z.minimum(range.min, invalid), z.maximum(range.max, invalid));

const end = z.object({
  place: z.nullable(z.custom<Place>()),
  typed: z.nullable(z.string()),
  byHand: z.custom<ByHand>(),
  unit: z.string().check(z.maxLength(20, 'locations:unit.long')),
  floor: wholeNumber(floorRange),
  elevator: wholeNumber(elevatorRange),
  parking: z.boolean(),
  accessibility: z.enum(accessibilities as [(typeof accessibilities)[number]]),
  details: z.string().check(z.maxLength(500, 'locations:details.long')),
});

// message keys, translated where they are shown
const checkedEnd = end.check(
  z.refine((value) => value.place !== null || begun(value), { error: 'locations:address.required', path: ['place'] }),
  // an address begun and left is not silently passed over for the one chosen before it
  z.refine(
    ({ place, ...value }) =>
      place === null ? !begun(value) : !begun(value) && isComplete(place.address) && place.coords !== null,
    { error: 'address:address.incomplete', path: ['place'] },
  ),
);

export const locationsSchema = z.object({ pickup: checkedEnd, dropoff: checkedEnd });
export type LocationsValues = z.infer<typeof locationsSchema>;

/** What an older or damaged draft holds is completed rather than trusted. */
function byHandOf(stored: Partial<ByHand>): ByHand {
  const known = Object.entries(emptyByHand()).map(([key, empty]) => {
    const value = stored[key as keyof ByHand];
    return [key, typeof value === typeof empty ? value : empty];
  });
  return Object.fromEntries(known) as ByHand;
}

function endFromDraft(draft: Draft, which: End): LocationsValues['pickup'] {
  const address = draft[which];
  const typed: unknown = draft[`${which}Typed`];
  return {
    place: address ? { address, coords: draft[`${which}Coords`], area: draft[`${which}Area`] } : null,
    typed: typeof typed === 'string' ? typed : null,
    byHand: byHandOf(draft[`${which}ByHand`]),
    unit: draft[`${which}AptUnit`],
    floor: draft[`${which}Floor`],
    elevator: draft[`${which}HasElevator`],
    parking: draft[`${which}HasParking`],
    accessibility: draft[`${which}Accessibility`],
    details: draft[`${which}Details`],
  };
}

export function fromDraft(draft: Draft): LocationsValues {
  return { pickup: endFromDraft(draft, 'pickup'), dropoff: endFromDraft(draft, 'dropoff') };
}

/** What the form says, in the draft's names. References are kept, so that unchanged parts stay unchanged. */
export function toDraft(values: LocationsValues): Partial<Draft> {
  const { pickup, dropoff } = values;
  return {
    pickup: pickup.place?.address ?? null,
    pickupCoords: pickup.place?.coords ?? null,
    pickupArea: pickup.place?.area ?? null,
    pickupTyped: pickup.typed,
    pickupByHand: pickup.byHand,
    pickupAptUnit: pickup.unit,
    pickupFloor: pickup.floor,
    pickupHasElevator: pickup.elevator,
    pickupHasParking: pickup.parking,
    pickupAccessibility: pickup.accessibility,
    pickupDetails: pickup.details,
    dropoff: dropoff.place?.address ?? null,
    dropoffCoords: dropoff.place?.coords ?? null,
    dropoffArea: dropoff.place?.area ?? null,
    dropoffTyped: dropoff.typed,
    dropoffByHand: dropoff.byHand,
    dropoffAptUnit: dropoff.unit,
    dropoffFloor: dropoff.floor,
    dropoffHasElevator: dropoff.elevator,
    dropoffHasParking: dropoff.parking,
    dropoffAccessibility: dropoff.accessibility,
    dropoffDetails: dropoff.details,
  };
}
