import { api, type BookedLocation, type Booking, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

import { roomsBooked } from '../draft/booking-request.ts';
import { draftStore } from '../draft/draft-store.ts';
import type { Draft } from '../draft/draft.ts';
import { editedFrom, tipOfBooking } from './changes.ts';
import { categoryOf, type DraftEnd, emptyEnd } from '../draft/ends.ts';

function endOf(location: BookedLocation): DraftEnd {
  const { country, province, postalCode, city, street, fullAddress } = location;
  const { coords, unit, floor, elevator, parking, accessibility, details } = location;
  const address = { country, province, postalCode, city, street, unit: '', fullAddress };
  return {
    ...emptyEnd(),
    place: { address, coords: coords ?? null, area: null },
    unit,
    floor,
    elevator,
    parking,
    accessibility,
    details,
    category: categoryOf('category' in location ? location.category : ''),
  };
}

/** A booking as a draft, so that the wizard can change it. */
export function draftOfBooking(booking: Booking): Partial<Draft> {
  const draft: Partial<Draft> = {
    editing: booking.id,
    editingVersion: booking.version,
    status: booking.status,
    ends: { pickup: endOf(booking.pickup), dropoff: endOf(booking.dropoff) },
    bookingType: booking.moveType,
    selectedFurnitures: booking.items,
    rooms: roomsBooked(booking.rooms),
    bookedRooms: booking.rooms,
    assembly: booking.assembly,
    extraServices: booking.extraServices,
    mateCount: booking.mateCount,
    clientAsMate: booking.clientAsMate,
    justMates: booking.justMates,
    rideAlong: booking.rideAlong,
    date: booking.date,
    time: booking.time,
    zone: booking.zone,
    startsAt: booking.startsAt,
    arrivalWindow: booking.arrivalWindow,
    discountCode: booking.discountCode,
    comments: booking.comments,
    guidelinesAgreed: true,
    ...tipOfBooking(booking),
  };
  return { ...draft, editedFrom: editedFrom(booking, draft) };
}

/** Begins to edit a booking: it is read, and takes the place of the draft once, unless it may not be changed. Null asks nothing. */
export function beginEdit(id: string | null) {
  return queryOptions({
    queryKey: ['/c/bookings/{id}', id, 'edit'],
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const booking = await unwrap(api.GET('/c/bookings/{id}', { params: { path: { id: id ?? '' } }, signal }));
      // left meanwhile
      signal.throwIfAborted();
      const closed = booking.mayEdit === false;
      if (!closed) draftStore.edit(draftOfBooking(booking));
      return { status: booking.status, closed, policy: booking.paymentPlan.policy };
    },
    meta: { personal: true },
    staleTime: 0,
    gcTime: 0,
  });
}
