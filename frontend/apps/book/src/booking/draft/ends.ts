import { type ByHand, emptyByHand, isComplete, type Place } from '@portage/address';
import type { Accessibility, Address, Coordinates } from '@portage/api';
import { type PlaceCategory, placeCategories } from '@portage/domain';

import type { Draft } from './draft.ts';

export const ends = ['pickup', 'dropoff'] as const;
export type End = (typeof ends)[number];

/** Floors by European numbering; basements are below 0. */
export const floorRange = { min: -3, max: 60 } as const;

export const elevatorRange = { min: 0, max: 9 } as const;

/** A kind of place by its name; anything else is one that was not said. */
export function categoryOf(value: unknown): DraftEnd['category'] {
  return placeCategories.find((one) => one === value) ?? '';
}

/** One end of the move: where it is, and how one gets in and out. */
export interface DraftEnd {
  /** The address that was taken, with its point and service area. */
  place: Place | null;
  /** What was typed into the address search and not chosen yet; null when nothing was. */
  typed: string | null;
  byHand: ByHand;
  unit: string;
  floor: number;
  elevator: number;
  parking: boolean;
  accessibility: Accessibility;
  details: string;
  /** What kind of place it is; empty while it was not said. */
  category: PlaceCategory | '';
}

export function emptyEnd(): DraftEnd {
  return {
    place: null,
    typed: null,
    byHand: emptyByHand(),
    unit: '',
    floor: 0,
    elevator: 0,
    parking: true,
    accessibility: 'easy',
    details: '',
    category: '',
  };
}

/** The fields by hand with what is known of an address. */
export function byHandOf({ street, city, province, postalCode }: Address): ByHand {
  return { open: true, street, city, province: province || 'QC', postalCode };
}

/** What a taken address makes of its end; one without a door number or postal code is completed by hand. */
export function takenPlace(place: Place): Pick<DraftEnd, 'place' | 'typed' | 'byHand'> {
  return { place, typed: null, byHand: isComplete(place.address) ? emptyByHand() : byHandOf(place.address) };
}

/** Is its address known, and on the map? */
export function placed(end: DraftEnd): end is DraftEnd & { place: Place & { coords: Coordinates } } {
  return Boolean(end.place?.address.fullAddress) && end.place?.coords !== null;
}

/** The change of a draft that changes one end. */
export function changeEnd(
  { ends: both }: Pick<Draft, 'ends'>,
  end: End,
  change: Partial<DraftEnd>,
): Pick<Draft, 'ends'> {
  return { ends: { ...both, [end]: { ...both[end], ...change } } };
}
