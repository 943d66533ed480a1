import { emptyByHand, isComplete, type Place } from '@portage/address';
import type { BookingDraftBody, QuoteRequestRecord } from '@portage/api';

import { addressOf } from '../../../shell/draft-address.ts';
import { emptyEnd, type MoveEnd, type Side } from '../parts/move-ends.ts';
import { emptyOrder, type OrderForm } from './form.ts';

const isHan = /^\p{Script=Han}+$/u;

/** A name typed in one field, as the two of the form: staff see both, and mend what is wrong. */
export function namesOf(whole: string): { firstName: string; lastName: string } {
  const name = whole.trim();
  // a Chinese name begins with the family's, and has no space
  if (isHan.test(name) && name.length > 1) return { lastName: name.slice(0, 1), firstName: name.slice(1) };
  const cut = name.lastIndexOf(' ');
  return cut < 0
    ? { firstName: name, lastName: '' }
    : { firstName: name.slice(0, cut).trim(), lastName: name.slice(cut + 1) };
}

function endOf(draft: BookingDraftBody, side: Side): MoveEnd {
  const address = addressOf(draft[side]);
  if (!address) return emptyEnd();
  const coords = (side === 'pickup' ? draft.pickupCoords : draft.dropoffCoords) ?? null;
  const place: Place = { address, coords, area: null };
  const { street, city, province, postalCode } = address;
  const whole = coords !== null && isComplete(address);
  return {
    place: whole ? place : null,
    text: whole ? '' : address.fullAddress || [street, city].filter(Boolean).join(', '),
    byHand: { ...emptyByHand(), street, city, province: province || 'QC', postalCode },
  };
}

/** The order form as it begins with a request: everything its guest said, and nothing that staff have to ask. */
export function orderFrom({ bookingRequest: draft, ...request }: QuoteRequestRecord): OrderForm {
  const empty = emptyOrder(request.language);
  const text = (value: number | null | undefined) => String(value ?? 0);
  return {
    ...empty,
    caller: {
      ...namesOf(request.name),
      email: request.email ?? '',
      phone: request.phone ?? '',
      language: request.language,
    },
    ends: { pickup: endOf(draft, 'pickup'), dropoff: endOf(draft, 'dropoff') },
    kind: draft.bookingType ?? empty.kind,
    items: (draft.selectedFurnitures ?? []).filter(({ quantity }) => quantity > 0),
    assembly: draft.assembly ?? true,
    services: draft.extraServices ?? [],
    move: {
      ...empty.move,
      date: draft.date ?? '',
      time: draft.date ? (draft.time ?? '') : '',
      mateCount: String(draft.mateCount ?? empty.move.mateCount),
      rideAlong: draft.rideAlong ?? false,
      clientAsMate: draft.clientAsMate ?? false,
      justMates: draft.justMates ?? false,
      comments: draft.comments ?? '',
      discountCode: draft.discountCode ?? '',
      pickupAptUnit: draft.pickupAptUnit ?? '',
      pickupFloor: text(draft.pickupFloor),
      pickupHasElevator: text(draft.pickupHasElevator),
      pickupHasParking: draft.pickupHasParking ?? true,
      pickupAccessibility: draft.pickupAccessibility ?? 'easy',
      pickupDetails: draft.pickupDetails ?? '',
      dropoffAptUnit: draft.dropoffAptUnit ?? '',
      dropoffFloor: text(draft.dropoffFloor),
      dropoffHasElevator: text(draft.dropoffHasElevator),
      dropoffHasParking: draft.dropoffHasParking ?? true,
      dropoffAccessibility: draft.dropoffAccessibility ?? 'easy',
      dropoffDetails: draft.dropoffDetails ?? '',
    },
  };
}
