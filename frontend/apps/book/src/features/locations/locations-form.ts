import { accessibilities, type Address, type Coordinates } from '@portage/api';
import * as z from 'zod/mini';

import { isComplete } from '../../app/draft/address.ts';
import { type AreaAnswer, type Draft, floorRange } from '../../app/draft/draft.ts';

export const ends = ['pickup', 'dropoff'] as const;
export type End = (typeof ends)[number];

export const elevatorRange = { min: 0, max: 9 } as const;

/** An address on the map. Free text that was not found yet has no coordinates. */
export interface Place {
  address: Address;
  coords: Coordinates | null;
  area: AreaAnswer | null;
}

const place = z.nullable(z.custom<Place>()).check(
  // message keys, translated where they are shown
  z.refine((value) => value !== null, { error: 'locations:address.required', abort: true }),
  z.refine((value) => value === null || (isComplete(value.address) && value.coords !== null), {
    error: 'locations:address.incomplete',
  }),
);

// every check names its own sentence: what the library says by itself is English
const invalid = 'common:form.invalid';
const wholeNumber = (range: { min: number; max: number }) =>
  z.number(invalid).check(z.int(invalid), z.minimum(range.min, invalid), z.maximum(range.max, invalid));

const end = z.object({
  place,
  unit: z.string().check(z.maxLength(20, 'locations:unit.long')),
  floor: wholeNumber(floorRange),
  elevator: wholeNumber(elevatorRange),
  parking: z.boolean(),
  accessibility: z.enum(accessibilities as [(typeof accessibilities)[number]]),
  details: z.string().check(z.maxLength(500, 'locations:details.long')),
});

export const locationsSchema = z.object({ pickup: end, dropoff: end });
export type LocationsValues = z.infer<typeof locationsSchema>;

function endFromDraft(draft: Draft, which: End): LocationsValues['pickup'] {
  const address = draft[which];
  return {
    place: address ? { address, coords: draft[`${which}Coords`], area: draft[`${which}Area`] } : null,
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
    pickupAptUnit: pickup.unit,
    pickupFloor: pickup.floor,
    pickupHasElevator: pickup.elevator,
    pickupHasParking: pickup.parking,
    pickupAccessibility: pickup.accessibility,
    pickupDetails: pickup.details,
    dropoff: dropoff.place?.address ?? null,
    dropoffCoords: dropoff.place?.coords ?? null,
    dropoffArea: dropoff.place?.area ?? null,
    dropoffAptUnit: dropoff.unit,
    dropoffFloor: dropoff.floor,
    dropoffHasElevator: dropoff.elevator,
    dropoffHasParking: dropoff.parking,
    dropoffAccessibility: dropoff.accessibility,
    dropoffDetails: dropoff.details,
  };
}
