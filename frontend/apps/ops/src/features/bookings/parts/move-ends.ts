import { type ByHand, emptyByHand, isComplete, type Place } from '@portage/address';
import { type BookingDraftBody, provinceOf } from '@portage/api';

export type Side = 'pickup' | 'dropoff';
export const sides: Side[] = ['pickup', 'dropoff'];

/** One end as it is being found: the place that was taken, and what is typed meanwhile. */
export interface MoveEnd {
  place: Place | null;
  text: string;
  byHand: ByHand;
}

export const emptyEnd = (): MoveEnd => ({ place: null, text: '', byHand: emptyByHand() });

/** An end that can be priced and booked: a whole address, on the map. */
export function placed({ place }: MoveEnd): boolean {
  return place !== null && place.coords !== null && isComplete(place.address);
}

/** An address as the calls take it. */
export function addressBody({ place }: MoveEnd): BookingDraftBody['pickup'] {
  return place ? { ...place.address, province: provinceOf(place.address.province) } : null;
}
