import type { Estimate, ExtraService, MoveKind, RoomCounts, SelectedFurniture } from '@portage/api';
import type { ArrivalWindow } from '@portage/domain';
import { noRooms, type Rooms } from '@portage/furniture/rooms';

import { type DraftEnd, emptyEnd, type End } from './ends.ts';

export type Survey = 'advertisements' | 'friendsFamily' | 'socialMedia' | 'partners' | 'other';
export const surveys: Survey[] = ['advertisements', 'friendsFamily', 'socialMedia', 'partners', 'other'];
/** Answers that mean nothing without saying which one. */
export const surveysToSpecify: Survey[] = ['socialMedia', 'partners', 'other'];

/** Characters of a discount code. */
export const longestCode = 100;

/** More people than any rate card sends. */
export const mostMates = 20;

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

/** A booking as it was when its change began. */
export interface EditedFrom {
  /** What sending it unchanged would say, as JSON. */
  request: string;
  tip: { tipType: 'amount' | 'percent'; tipValue: string };
  /** Whose tip it is: the tip's own id, or the booking's while there is none. */
  tipId: string;
  /** What the tip comes to, in dollars; a draft of an older version does not know it. */
  tipAmount?: string;
  /** A tip that was charged can no longer be changed. */
  tipPaid: boolean;
}

/**
 * What the person said of the move, then what this app keeps beside it. Plain JSON: it lives in local storage. The two
 * ends are alike; `bookingRequest` gives their fields the specification's names, the others have them. What the server computes from it (route, price, duration) stays in the query cache
 * and is read from there by `useEstimate`: a copy here would outlive the question it answers. The specification's own
 * names for those figures are derived by `draftFigures`.
 */
export interface Draft {
  tookanOrderID: string | null;
  resourceId: string | null;
  guidelinesAgreed: boolean;
  /** Version of the policy whose rules were agreed to: nothing is booked under another. */
  agreedPolicy: string | null;
  date: string | null;
  time: string | null;
  ends: Record<End, DraftEnd>;
  /** What the crew should know; `bookingRequest` sends it. */
  comments: string;
  /** The same under the older name of the specification and the API: kept where a draft has it, never asked for. */
  comment: string;
  bookingType: MoveKind;
  selectedFurnitures: SelectedFurniture[];
  /** The kind of home and its further rooms, which propose a list of furniture. */
  rooms: Rooms;
  /** The counts of a booking that is edited: it does not say which rooms they were. */
  bookedRooms: RoomCounts | null;
  /** What the pieces are that no catalogue has; `bookingRequest` sends it before the comments. */
  ownItems: string;
  /** Whether furniture is taken apart and put together; a piece may say otherwise. */
  assembly: boolean;
  extraServices: ExtraService[];
  discountCode: string | null;
  mateCount: number;
  clientAsMate: boolean;
  justMates: boolean;
  rideAlong: boolean;
  numberOfHelpers: number;
  firstMoverRate: string | null;
  additionalMoversRate: string | null;
  status: string;

  /** Instant and zone of the chosen start, from the server. */
  startsAt: string | null;
  zone: string | null;
  /** When the crew comes for it, from the server, too. */
  arrivalWindow: ArrivalWindow | null;
  hold: DraftHold | null;
  /**
   * The start that can no longer be had; the schedule page says so and offers the nearest ones. `reason` is the server's
   * sentence where it is another one than that somebody else was faster.
   */
  lostSlot: { date: string; time: string; reason?: string } | null;
  /** The secret of the mailed quote it was taken up from: until that lapses its price holds for exactly what was priced. */
  savedQuote: string | null;
  /** As typed; a comma is read as a dot when it is sent. */
  tipType: 'amount' | 'percent';
  tipValue: string;
  survey: Survey | null;
  surveySpecify: string;
  /** Id of the booking being edited, and its version for the update. */
  editing: string | null;
  editingVersion: number | null;
  editedFrom: EditedFrom | null;
  /** Pages that have been settled once, so that leaving them half done is not taken for an answer. */
  locationsConfirmed: boolean;
}

export function emptyDraft(): Draft {
  return {
    tookanOrderID: null,
    resourceId: null,
    guidelinesAgreed: false,
    agreedPolicy: null,
    date: null,
    time: null,
    ends: { pickup: emptyEnd(), dropoff: emptyEnd() },
    comments: '',
    comment: '',
    bookingType: 'residential',
    selectedFurnitures: [],
    rooms: noRooms(),
    bookedRooms: null,
    ownItems: '',
    assembly: true,
    extraServices: [],
    discountCode: null,
    mateCount: 2,
    clientAsMate: false,
    justMates: false,
    rideAlong: false,
    numberOfHelpers: 0,
    firstMoverRate: null,
    additionalMoversRate: null,
    status: 'draft',
    startsAt: null,
    zone: null,
    arrivalWindow: null,
    hold: null,
    lostSlot: null,
    savedQuote: null,
    tipType: 'amount',
    tipValue: '',
    survey: null,
    surveySpecify: '',
    editing: null,
    editingVersion: null,
    editedFrom: null,
    locationsConfirmed: false,
  };
}

/** A booking is in progress as soon as something would be missed. */
export function inProgress(draft: Draft): boolean {
  return (
    draft.editing !== null ||
    draft.ends.pickup.place !== null ||
    draft.ends.dropoff.place !== null ||
    draft.selectedFurnitures.length > 0
  );
}

/** The change that forgets a lost start but nothing else. */
export function slotLost(draft: Draft): Partial<Draft> {
  const lost = draft.date && draft.time ? { date: draft.date, time: draft.time } : draft.lostSlot;
  return { time: null, startsAt: null, arrivalWindow: null, hold: null, lostSlot: lost };
}

/** What a hold must cover; another crew, duration or pickup needs another hold. */
export function holdCovers(draft: Draft, estimate: Pick<Estimate, 'duration' | 'tier'>): string {
  return [
    draft.mateCount,
    estimate.duration,
    draft.justMates,
    estimate.tier,
    draft.ends.pickup.place?.address.postalCode,
    draft.ends.dropoff.place?.address.postalCode,
    draft.date,
    draft.time,
  ].join('|');
}

/** Names the pair of places a route belongs to. */
export function routeKey(draft: Draft): string | null {
  const [a, b] = [draft.ends.pickup.place?.coords, draft.ends.dropoff.place?.coords];
  return a && b ? `${a.lat},${a.lon};${b.lat},${b.lon}` : null;
}

export function itemCount(draft: Draft): number {
  return draft.selectedFurnitures.reduce((sum, item) => sum + item.quantity, 0);
}
