import { type ByHand, emptyByHand, type Place } from '@portage/address';
import { accessibilities, type Address, extraServices, moveKinds } from '@portage/api';
import { placeCategories } from '@portage/domain';
import { mostRooms, noRooms, type Rooms } from '@portage/furniture/rooms';

import { type Draft, type EditedFrom, emptyDraft, longestCode, mostMates, surveys } from './draft.ts';
import { type DraftEnd, elevatorRange, emptyEnd, type End, floorRange } from './ends.ts';
import {
  all,
  clock,
  day,
  type Fields,
  flag,
  instant,
  isObject,
  list,
  oneOf,
  type Read,
  type Reads,
  taken,
  text,
  textOf,
  whole,
  within,
  zone,
} from './readers.ts';

/** Raised when the stored shape changes; what an older version stored is carried over field by field, unknown fields are dropped. */
const version = 2;

export interface Revived {
  draft: Draft;
  revision: number;
  /** The account it belongs to; null for what somebody did without being signed in. */
  owner: string | null;
}

const addressReads: Reads<Address> = {
  country: text,
  province: text,
  postalCode: text,
  city: text,
  street: text,
  unit: text,
  fullAddress: text,
};
const noAddress = Object.fromEntries(Object.keys(addressReads).map((key) => [key, ''])) as unknown as Address;
const byHandReads: Reads<ByHand> = { open: flag, street: text, city: text, province: text, postalCode: text };

const placeOf: Read<Place> = (stored) =>
  isObject(stored) && isObject(stored['address'])
    ? {
        address: taken(stored['address'], addressReads, noAddress),
        coords:
          all<NonNullable<Place['coords']>>({ lat: within(-90, 90), lon: within(-180, 180) })(stored['coords']) ?? null,
        area: areaOf(stored['area']) ?? null,
      }
    : undefined;
const areaOf: Read<NonNullable<Place['area']>> = (stored) =>
  isObject(stored) && flag(stored['served']) !== undefined
    ? { served: stored['served'] === true, area: text(stored['area']) ?? null, exact: stored['exact'] === true }
    : undefined;

const endReads: Reads<DraftEnd> = {
  place: placeOf,
  typed: text,
  byHand: (stored) => taken(stored, byHandReads, emptyByHand()),
  unit: text,
  floor: whole(floorRange.min, floorRange.max),
  elevator: whole(elevatorRange.min, elevatorRange.max),
  parking: flag,
  accessibility: oneOf(accessibilities),
  details: text,
  category: oneOf(placeCategories),
};
const endOf: Read<DraftEnd> = (stored) => taken(stored, endReads, emptyEnd());

const money = textOf((value) => /^\d{1,9}\.\d\d$/.test(value));
/** The secret of a link, as the server makes them. */
const secretShape = /^[\w-]{43}$/;
const heads = whole(0, mostMates);
const mostPieces = 9999;
/** Milliseconds that a date can be made of. */
const milliseconds = within(-8.64e15, 8.64e15);
const roomsOf: Read<Rooms> = (stored) =>
  isObject(stored)
    ? {
        home: text(stored['home']) ?? noRooms().home,
        more: Object.fromEntries(
          Object.entries(isObject(stored['more']) ? stored['more'] : {}).filter(
            (one): one is [string, number] => whole(0, mostRooms)(one[1]) !== undefined,
          ),
        ),
      }
    : undefined;
const tipType = oneOf(['amount', 'percent'] as const);
const count = whole(0, 99);

const reads: Reads<Draft> = {
  tookanOrderID: text,
  resourceId: text,
  guidelinesAgreed: flag,
  agreedPolicy: text,
  date: day,
  time: clock,
  ends: (stored) => (isObject(stored) ? bothEnds(stored) : undefined),
  comments: text,
  comment: text,
  bookingType: oneOf(moveKinds),
  selectedFurnitures: list(
    all<Draft['selectedFurnitures'][number]>(
      { id: textOf(Boolean), quantity: whole(0, mostPieces) },
      { assembly: flag },
    ),
    ({ id }) => id,
  ),
  rooms: roomsOf,
  bookedRooms: all({ bedrooms: count, bathrooms: count, rooms: count, stairs: count, elevator: count }),
  ownItems: text,
  assembly: flag,
  extraServices: list(oneOf(extraServices)),
  discountCode: textOf((value) => value.length <= longestCode),
  mateCount: whole(1, mostMates),
  clientAsMate: flag,
  justMates: flag,
  rideAlong: flag,
  numberOfHelpers: heads,
  firstMoverRate: money,
  additionalMoversRate: money,
  status: text,
  startsAt: instant,
  zone,
  arrivalWindow: all({ from: clock, until: clock }),
  hold: all({
    id: text,
    endsAt: milliseconds,
    offset: milliseconds,
    startsAt: text,
    minutes: milliseconds,
    covers: text,
  }),
  savedQuote: textOf((value) => secretShape.test(value)),
  lostSlot: all<NonNullable<Draft['lostSlot']>>({ date: day, time: clock }, { reason: text }),
  tipType,
  tipValue: text,
  survey: oneOf(surveys),
  surveySpecify: text,
  editing: textOf(Boolean),
  editingVersion: whole(0, Number.MAX_SAFE_INTEGER),
  editedFrom: all<EditedFrom>(
    { request: textOf(Boolean), tip: all({ tipType, tipValue: text }), tipId: text, tipPaid: flag },
    { tipAmount: money },
  ),
  locationsConfirmed: flag,
};

function bothEnds(stored: Fields): Draft['ends'] {
  return { pickup: endOf(stored['pickup']) ?? emptyEnd(), dropoff: endOf(stored['dropoff']) ?? emptyEnd() };
}

/** Version 1 had the fields of both ends side by side, as the specification names them. */
function endOfVersion1(draft: Fields, end: End): Fields {
  return {
    place: { address: draft[end], coords: draft[`${end}Coords`], area: draft[`${end}Area`] },
    typed: draft[`${end}Typed`] ?? null,
    byHand: draft[`${end}ByHand`],
    unit: draft[`${end}AptUnit`],
    floor: draft[`${end}Floor`],
    elevator: draft[`${end}HasElevator`],
    parking: draft[`${end}HasParking`],
    accessibility: draft[`${end}Accessibility`],
    details: draft[`${end}Details`],
  };
}

/** Takes over what fits of a stored draft, of this version or the one before. */
export function revive(raw: string | null): Revived | null {
  if (!raw) return null;
  try {
    const stored: unknown = JSON.parse(raw);
    if (!isObject(stored) || !isObject(stored['draft'])) return null;
    const { draft, revision, owner } = stored;
    const ends = isObject(draft['ends'])
      ? draft['ends']
      : { pickup: endOfVersion1(draft, 'pickup'), dropoff: endOfVersion1(draft, 'dropoff') };
    return {
      draft: taken({ ...draft, ends }, reads, emptyDraft()),
      revision: whole(0, Number.MAX_SAFE_INTEGER)(revision) ?? 0,
      owner: typeof owner === 'string' ? owner : null,
    };
  } catch {
    return null;
  }
}

export function stored(draft: Draft, revision: number, owner: string | null = null): string {
  return JSON.stringify({ version, revision, owner, draft });
}

/** A draft for a link that leads back to it: what was said of the move, without what was kept or agreed to for now. */
export function forLink(draft: Draft): string {
  return stored(
    { ...draft, hold: null, lostSlot: null, savedQuote: null, guidelinesAgreed: false, agreedPolicy: null },
    0,
  );
}
