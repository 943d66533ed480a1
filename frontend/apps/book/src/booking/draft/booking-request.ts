import { type BookingDraftBody, provinceOf, type RoomCounts } from '@portage/api';
import { roomCount, type Rooms } from '@portage/furniture/rooms';
import { currentLanguage } from '@portage/i18n';

import { type Draft, emptyDraft } from './draft.ts';
import type { DraftEnd } from './ends.ts';

type DraftAddressBody = NonNullable<BookingDraftBody['pickup']>;

function body({ place, unit }: DraftEnd): DraftAddressBody | null {
  return place && { ...place.address, unit, province: provinceOf(place.address.province) };
}

/** Bedrooms of the kinds of home. */
const bedrooms = new Map([
  ['studio', 0],
  ['one-bedroom', 1],
  ['two-bedroom', 2],
  ['three-bedroom', 3],
]);

/** The rooms of a booking as the furniture page has them; offices and garages are one count there, which says neither. */
export function roomsBooked({ bedrooms: count }: RoomCounts): Rooms {
  const home = [...bedrooms].findLast(([, rooms]) => count > 0 && rooms <= count)?.[0] ?? null;
  const further = count - (bedrooms.get(home ?? '') ?? 0);
  return { home, more: further > 0 ? { bedroom: further } : {} };
}

/** Counts of rooms where somebody has said any; a booking keeps what it has otherwise. */
function roomCounts({ rooms, bookedRooms }: Draft): Pick<BookingDraftBody, 'rooms'> {
  const [bedroom, office, garage] = ['bedroom', 'office', 'garage'].map((id) => roomCount(rooms, id));
  const said = bedrooms.get(rooms.home ?? '');
  const others = (office ?? 0) + (garage ?? 0);
  if (said === undefined && !bedroom && others === 0) return {};
  return {
    rooms: {
      ...(bookedRooms ?? { bathrooms: 0, rooms: 0, stairs: 0, elevator: 0 }),
      bedrooms: (said ?? 0) + (bedroom ?? 0),
      ...(others > 0 ? { rooms: others } : {}),
    },
  };
}

/** What the crew should know, the pieces that no catalogue has first. */
function crewComments({ selectedFurnitures, ownItems, comments }: Draft): string {
  const own = selectedFurnitures.some(({ id, quantity }) => id.startsWith('own-') && quantity > 0)
    ? ownItems.trim()
    : '';
  return [own, comments].filter(Boolean).join('\n');
}

/** The kinds of both places, where they were said. */
function placeCategories({ ends: { pickup, dropoff } }: Draft) {
  return {
    ...(pickup.category === '' ? {} : { pickupCategory: pickup.category }),
    ...(dropoff.category === '' ? {} : { dropoffCategory: dropoff.category }),
  };
}

/**
 * The `bookingRequest` of POST /bookings and of an edit: the draft under the specification's names. The caller adds
 * `expectedTotal`, the price the person agreed to, so that no other one is ever charged.
 */
export function bookingRequest(draft: Draft): BookingDraftBody {
  const { pickup, dropoff } = draft.ends;
  return {
    ...placeCategories(draft),
    pickup: body(pickup),
    dropoff: body(dropoff),
    pickupCoords: pickup.place?.coords ?? null,
    dropoffCoords: dropoff.place?.coords ?? null,
    pickupAptUnit: pickup.unit,
    pickupHasElevator: pickup.elevator,
    pickupFloor: pickup.floor,
    pickupHasParking: pickup.parking,
    pickupAccessibility: pickup.accessibility,
    pickupDetails: pickup.details,
    dropoffAptUnit: dropoff.unit,
    dropoffHasElevator: dropoff.elevator,
    dropoffFloor: dropoff.floor,
    dropoffHasParking: dropoff.parking,
    dropoffAccessibility: dropoff.accessibility,
    dropoffDetails: dropoff.details,
    comments: crewComments(draft),
    bookingType: draft.bookingType,
    selectedFurnitures: draft.selectedFurnitures.filter((item) => item.quantity > 0),
    assembly: draft.assembly,
    extraServices: draft.extraServices,
    ...roomCounts(draft),
    mateCount: draft.mateCount,
    clientAsMate: draft.clientAsMate,
    justMates: draft.justMates,
    rideAlong: draft.rideAlong,
    date: draft.date,
    time: draft.time,
    discountCode: draft.discountCode,
    guidelinesAgreed: draft.guidelinesAgreed,
    ...(draft.survey ? { survey: { source: draft.survey, specify: draft.surveySpecify } } : {}),
    ...(draft.hold ? { holdId: draft.hold.id } : {}),
    ...(draft.savedQuote ? { savedQuote: draft.savedQuote } : {}),
    language: currentLanguage(),
  };
}

/** What belongs to an address, and says nothing before there is one. */
const ofEnd = ['AptUnit', 'HasElevator', 'Floor', 'HasParking', 'Accessibility', 'Details', 'Coords'] as const;
/** What belongs to the pieces that are moved. */
const ofItems = ['mateCount', 'clientAsMate', 'justMates', 'rideAlong', 'assembly', 'extraServices'] as const;

/**
 * The same for somebody who asks a person before they are done: what was never touched is left out, because a person would
 * read the fields' first values as what they were told.
 */
export function requestSoFar(draft: Draft): BookingDraftBody {
  const { pickup, dropoff } = draft.ends;
  const hasItems = draft.selectedFurnitures.some(({ quantity }) => quantity > 0);
  const notSaid = new Set<string>([
    ...(pickup.place ? [] : ofEnd.map((field) => `pickup${field}`)),
    ...(dropoff.place ? [] : ofEnd.map((field) => `dropoff${field}`)),
    ...(hasItems ? [] : ofItems),
    ...(pickup.place || dropoff.place || hasItems ? [] : ['bookingType']),
  ]);
  const untouched = new Map(Object.entries(bookingRequest(emptyDraft())));
  const isFirst = (field: string, value: unknown) => JSON.stringify(value) === JSON.stringify(untouched.get(field));
  const said = Object.entries(bookingRequest(draft)).filter(
    ([field, value]) => !(notSaid.has(field) && isFirst(field, value)),
  );
  return Object.fromEntries(said);
}
