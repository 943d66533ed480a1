import { type ByHand, isComplete, type Place } from '@portage/address';
import { accessibilities } from '@portage/api';
import { placeCategories } from '@portage/domain';
import * as z from 'zod/mini';

import { elevatorRange, floorRange } from '../../booking/draft/ends.ts';

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
  category: z.enum(['', ...placeCategories]),
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
