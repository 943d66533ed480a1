import type { Accessibility, Address, Coordinates, Estimate, MoveKind, SelectedFurniture } from '@portage/api';

export type Survey = 'advertisements' | 'friendsFamily' | 'socialMedia' | 'partners' | 'other';
export const surveys: Survey[] = ['advertisements', 'friendsFamily', 'socialMedia', 'partners', 'other'];
/** Answers that mean nothing without saying which one. */
export const surveysToSpecify: Survey[] = ['socialMedia', 'partners', 'other'];

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

/** Floors by European numbering; basements are below 0. */
export const floorRange = { min: -3, max: 60 } as const;

/** Characters of a discount code. */
export const longestCode = 100;

/** A hold on a start time, as the server granted it, with what it was granted for. */
export interface DraftHold {
  id: string;
  expiresAt: string;
  startsAt: string;
  /** Minutes from granting to expiry, for the sentence that says it has run out. */
  minutes: number;
  /** The crew, duration and place it covers; other values need another hold. */
  covers: string;
}

export interface AreaAnswer {
  served: boolean;
  /** `greater-montreal`, `ontario`, `greater-vancouver`, `alberta`. */
  area: string | null;
  /** False for a free text that the map only placed roughly. */
  exact: boolean;
}

/**
 * The booking draft of the specification under its own field names, then what this app keeps beside it.
 * Plain JSON: it lives in local storage.
 */
export interface Draft {
  tookanOrderID: string | null;
  resourceId: string | null;
  /** Minutes; -1 when it is not known, which is never shown. */
  estimatedDuration: number;
  isDurationWithinLimit: boolean;
  guidelinesAgreed: boolean;
  date: string | null;
  time: string | null;
  pickup: Address | null;
  dropoff: Address | null;
  pickupCoords: Coordinates | null;
  dropoffCoords: Coordinates | null;
  pickupAptUnit: string;
  pickupHasElevator: number;
  pickupFloor: number;
  pickupHasParking: boolean;
  pickupAccessibility: Accessibility;
  pickupDetails: string;
  dropoffAptUnit: string;
  dropoffHasElevator: number;
  dropoffFloor: number;
  dropoffHasParking: boolean;
  dropoffAccessibility: Accessibility;
  dropoffDetails: string;
  comments: string;
  comment: string;
  bookingType: MoveKind;
  selectedFurnitures: SelectedFurniture[];
  discount: string;
  discountCode: string | null;
  priceQuote: string | null;
  priceTaxed: string | null;
  mateCount: number;
  clientAsMate: boolean;
  justMates: boolean;
  rideAlong: boolean;
  estimate: { discount: string; originalAmount: string; amount: string; currency: string; tax: string };
  numberOfHelpers: number;
  firstMoverRate: string | null;
  additionalMoversRate: string | null;
  braintreeCustomerId: string | null;
  status: string;

  /** Service area of each end as the address search answered; null when it was not said. */
  pickupArea: AreaAnswer | null;
  dropoffArea: AreaAnswer | null;
  /** What was typed into the address search of each end and not chosen yet; null when nothing was. */
  pickupTyped: string | null;
  dropoffTyped: string | null;
  pickupByHand: ByHand;
  dropoffByHand: ByHand;
  /** The whole last good answer, and the question it answers; a different question means it is out of date. */
  quote: Estimate | null;
  quoteFor: string | null;
  /** Route between the two coordinates, for the pair named in `routeFor`. */
  travelDuration: number | null;
  distanceKm: string | null;
  routeFor: string | null;
  /** Instant and zone of the chosen start, from the server. */
  startsAt: string | null;
  zone: string | null;
  hold: DraftHold | null;
  /**
   * The start that can no longer be had; the schedule page says so and offers the nearest ones. `reason` is the server's
   * sentence where it is another one than that somebody else was faster.
   */
  lostSlot: { date: string; time: string; reason?: string } | null;
  /** As typed; a comma is read as a dot when it is sent. */
  tipType: 'amount' | 'percent';
  tipValue: string;
  survey: Survey | null;
  surveySpecify: string;
  /** Id of the booking being edited, and its version for the update. */
  editing: string | null;
  editingVersion: number | null;
  /** Pages that have been settled once, so that leaving them half done is not taken for an answer. */
  locationsConfirmed: boolean;
}

export function emptyDraft(): Draft {
  return {
    tookanOrderID: null,
    resourceId: null,
    estimatedDuration: -1,
    isDurationWithinLimit: true,
    guidelinesAgreed: false,
    date: null,
    time: null,
    pickup: null,
    dropoff: null,
    pickupCoords: null,
    dropoffCoords: null,
    pickupAptUnit: '',
    pickupHasElevator: 0,
    pickupFloor: 0,
    pickupHasParking: true,
    pickupAccessibility: 'easy',
    pickupDetails: '',
    dropoffAptUnit: '',
    dropoffHasElevator: 0,
    dropoffFloor: 0,
    dropoffHasParking: true,
    dropoffAccessibility: 'easy',
    dropoffDetails: '',
    comments: '',
    comment: '',
    bookingType: 'residential',
    selectedFurnitures: [],
    discount: '',
    discountCode: null,
    priceQuote: null,
    priceTaxed: null,
    mateCount: 2,
    clientAsMate: false,
    justMates: false,
    rideAlong: false,
    estimate: { discount: '0.00', originalAmount: '0.00', amount: '0.00', currency: 'CAD', tax: '0.00' },
    numberOfHelpers: 0,
    firstMoverRate: null,
    additionalMoversRate: null,
    braintreeCustomerId: null,
    status: 'draft',
    pickupArea: null,
    dropoffArea: null,
    pickupTyped: null,
    dropoffTyped: null,
    pickupByHand: emptyByHand(),
    dropoffByHand: emptyByHand(),
    quote: null,
    quoteFor: null,
    travelDuration: null,
    distanceKm: null,
    routeFor: null,
    startsAt: null,
    zone: null,
    hold: null,
    lostSlot: null,
    tipType: 'amount',
    tipValue: '',
    survey: null,
    surveySpecify: '',
    editing: null,
    editingVersion: null,
    locationsConfirmed: false,
  };
}

/** A booking is in progress as soon as something would be missed. */
export function inProgress(draft: Draft): boolean {
  return (
    draft.editing !== null || draft.pickup !== null || draft.dropoff !== null || draft.selectedFurnitures.length > 0
  );
}

/** The change that forgets a lost start but nothing else. */
export function slotLost(draft: Draft): Partial<Draft> {
  const lost = draft.date && draft.time ? { date: draft.date, time: draft.time } : draft.lostSlot;
  return { time: null, startsAt: null, hold: null, lostSlot: lost };
}

/** What a hold must cover; another crew, duration or pickup needs another hold. */
export function holdCovers(draft: Draft): string {
  return [
    draft.mateCount,
    draft.estimatedDuration,
    draft.justMates,
    draft.quote?.tier,
    draft.pickup?.postalCode,
    draft.dropoff?.postalCode,
    draft.date,
    draft.time,
  ].join('|');
}

/** Names the pair of places a route belongs to. */
export function routeKey(draft: Draft): string | null {
  const { pickupCoords: a, dropoffCoords: b } = draft;
  return a && b ? `${a.lat},${a.lon};${b.lat},${b.lon}` : null;
}

export function itemCount(draft: Draft): number {
  return draft.selectedFurnitures.reduce((sum, item) => sum + item.quantity, 0);
}
