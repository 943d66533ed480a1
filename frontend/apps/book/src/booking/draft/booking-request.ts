import { type BookingDraftBody, provinceOf } from '@portage/api';
import { currentLanguage } from '@portage/i18n';

import type { Draft } from './draft.ts';
import type { DraftEnd } from './ends.ts';

type DraftAddressBody = NonNullable<BookingDraftBody['pickup']>;

function body({ place, unit }: DraftEnd): DraftAddressBody | null {
  return place && { ...place.address, unit, province: provinceOf(place.address.province) };
}

/**
 * The `bookingRequest` of POST /bookings and of an edit: the draft under the specification's names. The caller adds
 * `expectedTotal`, the price the person agreed to, so that no other one is ever charged.
 */
export function bookingRequest(draft: Draft): BookingDraftBody {
  const { pickup, dropoff } = draft.ends;
  return {
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
    comments: draft.comments,
    bookingType: draft.bookingType,
    selectedFurnitures: draft.selectedFurnitures.filter((item) => item.quantity > 0),
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
    language: currentLanguage(),
  };
}
