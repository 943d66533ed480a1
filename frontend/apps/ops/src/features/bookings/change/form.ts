import type { DeskBooking, StaffEdit } from '@portage/api';

import { draftOf, type MoveForm, type MoveKey } from '../parts/move-form.ts';

/** What only staff decide about a change. */
export interface FeeForm {
  amount: string;
  customersWish: boolean;
  waiveFee: boolean;
}
export const noFee: FeeForm = { amount: '', customersWish: false, waiveFee: false };

export function formOf(booking: DeskBooking): MoveForm {
  const { pickup, dropoff } = booking;
  return {
    date: booking.date,
    time: booking.time,
    mateCount: String(booking.mateCount),
    rideAlong: booking.rideAlong,
    clientAsMate: booking.clientAsMate,
    justMates: booking.justMates,
    comments: booking.comments,
    discountCode: booking.discountCode ?? '',
    pickupAptUnit: pickup.aptUnit,
    pickupFloor: String(pickup.floor),
    pickupHasElevator: String(pickup.elevator),
    pickupHasParking: pickup.parking,
    pickupAccessibility: pickup.accessibility,
    pickupDetails: pickup.details,
    dropoffAptUnit: dropoff.aptUnit,
    dropoffFloor: String(dropoff.floor),
    dropoffHasElevator: String(dropoff.elevator),
    dropoffHasParking: dropoff.parking,
    dropoffAccessibility: dropoff.accessibility,
    dropoffDetails: dropoff.details,
  };
}

/** The fields that differ from what was read. */
export function changedKeys(form: MoveForm, base: MoveForm): MoveKey[] {
  return (Object.keys(base) as MoveKey[]).filter((key) => form[key] !== base[key]);
}

/** What the change and its preview send: only what differs. Null while nothing does. */
export function bodyOf(form: MoveForm, base: MoveForm, fee: FeeForm): StaffEdit | null {
  const changed = changedKeys(form, base);
  const amount = fee.amount.trim().replace(',', '.');
  if (changed.length === 0 && amount === '') return null;
  return {
    ...(changed.length > 0 ? { booking: draftOf(form, changed) } : {}),
    ...(amount === '' ? {} : { amount: /^\d+$/.test(amount) ? `${amount}.00` : amount }),
    ...(fee.customersWish ? { customersWish: true } : {}),
    ...(fee.waiveFee ? { waiveFee: true } : {}),
  };
}

/** One's own changes on top of what somebody else has saved meanwhile. */
export function rebased(form: MoveForm, base: MoveForm, theirs: MoveForm): MoveForm {
  const mine = changedKeys(form, base);
  return { ...theirs, ...Object.fromEntries(mine.map((key) => [key, form[key]])) };
}
