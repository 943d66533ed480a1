import type { DeskBooking, StaffEdit } from '@portage/api';

/** Everything of a booking that this page changes, by the names of the draft. */
export interface ChangeForm {
  date: string;
  time: string;
  mateCount: string;
  rideAlong: boolean;
  clientAsMate: boolean;
  justMates: boolean;
  comments: string;
  discountCode: string;
  pickupAptUnit: string;
  pickupFloor: string;
  pickupHasElevator: string;
  pickupHasParking: boolean;
  pickupAccessibility: string;
  pickupDetails: string;
  dropoffAptUnit: string;
  dropoffFloor: string;
  dropoffHasElevator: string;
  dropoffHasParking: boolean;
  dropoffAccessibility: string;
  dropoffDetails: string;
}
export type ChangeKey = keyof ChangeForm;

/** What only staff decide about a change. */
export interface FeeForm {
  amount: string;
  customersWish: boolean;
  waiveFee: boolean;
}
export const noFee: FeeForm = { amount: '', customersWish: false, waiveFee: false };

const numbers = new Set<string>([
  'mateCount',
  'pickupFloor',
  'pickupHasElevator',
  'dropoffFloor',
  'dropoffHasElevator',
] satisfies ChangeKey[]);

export function formOf(booking: DeskBooking): ChangeForm {
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
export function changedKeys(form: ChangeForm, base: ChangeForm): ChangeKey[] {
  return (Object.keys(base) as ChangeKey[]).filter((key) => form[key] !== base[key]);
}

/** What the change and its preview send: only what differs. Null while nothing does. */
export function bodyOf(form: ChangeForm, base: ChangeForm, fee: FeeForm): StaffEdit | null {
  const changed = changedKeys(form, base);
  const amount = fee.amount.trim().replace(',', '.');
  if (changed.length === 0 && amount === '') return null;
  const booking = Object.fromEntries(
    changed.map((key) => [key, numbers.has(key) ? Number(form[key]) : form[key]] as const),
  );
  return {
    ...(changed.length > 0 ? { booking } : {}),
    ...(amount === '' ? {} : { amount: /^\d+$/.test(amount) ? `${amount}.00` : amount }),
    ...(fee.customersWish ? { customersWish: true } : {}),
    ...(fee.waiveFee ? { waiveFee: true } : {}),
  };
}

/** One's own changes on top of what somebody else has saved meanwhile. */
export function rebased(form: ChangeForm, base: ChangeForm, theirs: ChangeForm): ChangeForm {
  const mine = changedKeys(form, base);
  return { ...theirs, ...Object.fromEntries(mine.map((key) => [key, form[key]])) };
}
