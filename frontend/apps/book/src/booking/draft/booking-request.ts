import { type Address, type BookingDraftBody, provinceOf } from '@portage/api';
import { currentLanguage } from '@portage/i18n';

import type { Draft } from './draft.ts';

type DraftAddressBody = NonNullable<BookingDraftBody['pickup']>;

function body(address: Address | null, unit: string): DraftAddressBody | null {
  return address && { ...address, unit, province: provinceOf(address.province) };
}

/**
 * The `bookingRequest` of POST /bookings and of an edit: the draft under the specification's names. The caller adds
 * `expectedTotal`, the price the person agreed to, so that no other one is ever charged.
 */
export function bookingRequest(draft: Draft): BookingDraftBody {
  return {
    pickup: body(draft.pickup, draft.pickupAptUnit),
    dropoff: body(draft.dropoff, draft.dropoffAptUnit),
    pickupCoords: draft.pickupCoords,
    dropoffCoords: draft.dropoffCoords,
    pickupAptUnit: draft.pickupAptUnit,
    pickupHasElevator: draft.pickupHasElevator,
    pickupFloor: draft.pickupFloor,
    pickupHasParking: draft.pickupHasParking,
    pickupAccessibility: draft.pickupAccessibility,
    pickupDetails: draft.pickupDetails,
    dropoffAptUnit: draft.dropoffAptUnit,
    dropoffHasElevator: draft.dropoffHasElevator,
    dropoffFloor: draft.dropoffFloor,
    dropoffHasParking: draft.dropoffHasParking,
    dropoffAccessibility: draft.dropoffAccessibility,
    dropoffDetails: draft.dropoffDetails,
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
