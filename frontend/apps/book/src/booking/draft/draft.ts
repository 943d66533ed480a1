import { type AreaAnswer, type ByHand, emptyByHand } from '@portage/address';
import type { Accessibility, Address, Coordinates, Estimate, MoveKind, SelectedFurniture } from '@portage/api';

export type Survey = 'advertisements' | 'friendsFamily' | 'socialMedia' | 'partners' | 'other';
export const surveys: Survey[] = ['advertisements', 'friendsFamily', 'socialMedia', 'partners', 'other'];
/** Answers that mean nothing without saying which one. */
export const surveysToSpecify: Survey[] = ['socialMedia', 'partners', 'other'];

/** Floors by European numbering; basements are below 0. */
export const floorRange = { min: -3, max: 60 } as const;

/** Characters of a discount code. */
export const longestCode = 100;

/**
 * A hold on a start time, as the server granted it, with what it was granted for: the person's receipt. No call answers
 * for it later, so it is kept with the draft.
 */
export interface DraftHold {
  id: string;
  /** When it ends: epoch milliseconds by the server's clock. */
  endsAt: number;
  /** What is to be added to this device's clock to get the server's, as it was at the granting. */
  offset: number;
  startsAt: string;
  /** Minutes from granting to expiry, for the sentence that says it has run out. */
  minutes: number;
  /** The crew, duration and place it covers; other values need another hold. */
  covers: string;
}

/**
 * What the person said of the move, under the specification's field names, then what this app keeps beside it. Plain
 * JSON: it lives in local storage. What the server computes from it (route, price, duration) stays in the query cache
 * and is read from there by `useEstimate`: a copy here would outlive the question it answers. The specification's own
 * names for those figures are derived by `draftFigures`.
 */
export interface Draft {
  tookanOrderID: string | null;
  resourceId: string | null;
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
  discountCode: string | null;
  mateCount: number;
  clientAsMate: boolean;
  justMates: boolean;
  rideAlong: boolean;
  numberOfHelpers: number;
  firstMoverRate: string | null;
  additionalMoversRate: string | null;
  status: string;

  /** Service area of each end as the address search answered; null when it was not said. */
  pickupArea: AreaAnswer | null;
  dropoffArea: AreaAnswer | null;
  /** What was typed into the address search of each end and not chosen yet; null when nothing was. */
  pickupTyped: string | null;
  dropoffTyped: string | null;
  pickupByHand: ByHand;
  dropoffByHand: ByHand;
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
    discountCode: null,
    mateCount: 2,
    clientAsMate: false,
    justMates: false,
    rideAlong: false,
    numberOfHelpers: 0,
    firstMoverRate: null,
    additionalMoversRate: null,
    status: 'draft',
    pickupArea: null,
    dropoffArea: null,
    pickupTyped: null,
    dropoffTyped: null,
    pickupByHand: emptyByHand(),
    dropoffByHand: emptyByHand(),
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
export function holdCovers(draft: Draft, estimate: Pick<Estimate, 'duration' | 'tier'>): string {
  return [
    draft.mateCount,
    estimate.duration,
    draft.justMates,
    estimate.tier,
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
