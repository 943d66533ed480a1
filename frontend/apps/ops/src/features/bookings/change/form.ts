import { type ByHand, emptyByHand, type Place } from '@portage/address';
import type {
  BookedLocation,
  BookingDraftBody,
  DeskBooking,
  ExtraService,
  MoveKind,
  SelectedFurniture,
  StaffEdit,
} from '@portage/api';
import type { PlaceCategory } from '@portage/domain';

import { draftOf, type MoveForm, type MoveKey } from '../parts/move-form.ts';
import { addressBody, type MoveEnd, placed, type Side, sides } from '../parts/move-ends.ts';

/** What only staff decide about a change. */
export interface FeeForm {
  amount: string;
  customersWish: boolean;
  waiveFee: boolean;
}
export const noFee: FeeForm = { amount: '', customersWish: false, waiveFee: false };

/** Everything that may change about a booking. */
export interface ChangeForm extends MoveForm {
  pickup: MoveEnd;
  pickupCategory: PlaceCategory | '';
  dropoff: MoveEnd;
  dropoffCategory: PlaceCategory | '';
  kind: MoveKind;
  items: SelectedFurniture[];
  /** What pieces are that no list has; the call takes them among the comments. */
  ownItems: string;
  assembly: boolean;
  services: ExtraService[];
}
export type ChangeKey = keyof ChangeForm;

function endOf(location: BookedLocation): MoveEnd {
  const { country, province, postalCode, city, street, fullAddress, coords } = location;
  // the unit is a field of its own
  const place: Place = {
    address: { country, province, postalCode, city, street, unit: '', fullAddress },
    coords,
    area: null,
  };
  const byHand: ByHand = { ...emptyByHand(), street, city, province, postalCode };
  return { place, text: '', byHand };
}

export function formOf(booking: DeskBooking): ChangeForm {
  const { pickup, dropoff } = booking;
  return {
    date: booking.date,
    time: booking.time,
    mateCount: String(booking.mateCount),
    rideAlong: booking.rideAlong,
    clientAsMate: booking.clientAsMate,
    justMates: booking.justMates,
    pickup: endOf(pickup),
    pickupCategory: pickup.category ?? '',
    pickupAptUnit: pickup.aptUnit,
    pickupFloor: String(pickup.floor),
    pickupHasElevator: String(pickup.elevator),
    pickupHasParking: pickup.parking,
    pickupAccessibility: pickup.accessibility,
    pickupDetails: pickup.details,
    dropoff: endOf(dropoff),
    dropoffCategory: dropoff.category ?? '',
    dropoffAptUnit: dropoff.aptUnit,
    dropoffFloor: String(dropoff.floor),
    dropoffHasElevator: String(dropoff.elevator),
    dropoffHasParking: dropoff.parking,
    dropoffAccessibility: dropoff.accessibility,
    dropoffDetails: dropoff.details,
    kind: booking.moveType,
    items: booking.items,
    ownItems: '',
    assembly: booking.assembly,
    services: booking.extraServices,
    comments: booking.comments,
    discountCode: booking.discountCode ?? '',
  };
}

/** Pieces that are there, in an order that does not depend on how they were chosen. */
export function chosenItems(items: SelectedFurniture[]): SelectedFurniture[] {
  return items
    .filter(({ quantity }) => quantity > 0)
    .map(({ id, quantity, assembly }) => ({ id, quantity, ...(typeof assembly === 'boolean' ? { assembly } : {}) }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** A value as it is compared: an address is where it is, whatever is typed beside it. */
function compared(form: ChangeForm, key: ChangeKey): unknown {
  switch (key) {
    case 'pickup':
    case 'dropoff': {
      const { place } = form[key];
      return (
        place && [
          place.address.street,
          place.address.city,
          place.address.province,
          place.address.postalCode,
          place.coords,
        ]
      );
    }
    case 'items':
      return chosenItems(form.items);
    case 'services':
      return [...form.services].sort();
    case 'ownItems':
      return form.ownItems.trim();
    default:
      return form[key];
  }
}

/** The fields that differ from what was read. */
export function changedKeys(form: ChangeForm, base: ChangeForm): ChangeKey[] {
  const differs = (key: ChangeKey) => JSON.stringify(compared(form, key)) !== JSON.stringify(compared(base, key));
  return (Object.keys(base) as ChangeKey[]).filter(differs);
}

/** Ends whose other address cannot be sent yet: it is still being typed, or lacks its number or postal code. */
export function unfinishedSides(form: ChangeForm, base: ChangeForm): Side[] {
  const changed = changedKeys(form, base);
  return sides.filter((side) => {
    const { byHand, text } = form[side];
    return byHand.open || text.trim() !== '' || (changed.includes(side) && !placed(form[side]));
  });
}

const withoutDraft = new Set<ChangeKey>(['pickup', 'dropoff', 'kind', 'items', 'ownItems', 'services', 'comments']);

/** What differs, by the names of the draft. */
function draftBody(form: ChangeForm, changed: ChangeKey[]): BookingDraftBody {
  const has = (key: ChangeKey) => changed.includes(key);
  const body: BookingDraftBody = draftOf(form, changed.filter((key) => !withoutDraft.has(key)) as MoveKey[]);
  for (const side of sides) {
    if (!has(side) || !placed(form[side])) continue;
    const end = form[side];
    body[side] = addressBody(end);
    body[`${side}Coords`] = end.place?.coords ?? null;
    // an apartment belongs to its house: what is not said of the new one is none
    body[`${side}AptUnit`] = form[`${side}AptUnit`];
  }
  if (has('kind')) body.bookingType = form.kind;
  if (has('items')) body.selectedFurnitures = chosenItems(form.items);
  if (has('services')) body.extraServices = form.services;
  if (has('comments') || has('ownItems'))
    body.comments = [form.ownItems.trim(), form.comments].filter(Boolean).join('\n');
  return body;
}

/** What the change and its preview send: only what differs. Null while nothing does. */
export function bodyOf(form: ChangeForm, base: ChangeForm, fee: FeeForm): StaffEdit | null {
  const booking = draftBody(form, changedKeys(form, base));
  const amount = fee.amount.trim().replace(',', '.');
  const changes = Object.keys(booking).length > 0;
  if (!changes && amount === '') return null;
  return {
    ...(changes ? { booking } : {}),
    ...(amount === '' ? {} : { amount: /^\d+$/.test(amount) ? `${amount}.00` : amount }),
    ...(fee.customersWish ? { customersWish: true } : {}),
    ...(fee.waiveFee ? { waiveFee: true } : {}),
  };
}

/** One's own pieces on top of those that somebody else has saved: each piece that was counted anew, and no other. */
function rebasedItems(mine: ChangeForm, base: ChangeForm, theirs: ChangeForm): SelectedFurniture[] {
  const text = (item: SelectedFurniture | undefined) => JSON.stringify(item ?? null);
  const by = (form: ChangeForm) => new Map(chosenItems(form.items).map((item) => [item.id, item]));
  const [now, before, result] = [by(mine), by(base), by(theirs)];
  for (const id of new Set([...now.keys(), ...before.keys()])) {
    const item = now.get(id);
    if (text(item) === text(before.get(id))) continue;
    if (item) result.set(id, item);
    else result.delete(id);
  }
  return [...result.values()];
}

/** One's own changes on top of what somebody else has saved meanwhile, and what is still being typed. */
export function rebased(form: ChangeForm, base: ChangeForm, theirs: ChangeForm): ChangeForm {
  const mine = changedKeys(form, base);
  // the apartment goes with its house
  const units = sides.filter((side) => mine.includes(side)).map((side) => `${side}AptUnit` as const);
  const kept = Object.fromEntries([...mine, ...units].map((key) => [key, form[key]])) as Partial<ChangeForm>;
  const end = (side: Side): MoveEnd => ({
    ...(kept[side] ?? theirs[side]),
    text: form[side].text,
    byHand: form[side].byHand.open ? form[side].byHand : theirs[side].byHand,
  });
  return {
    ...theirs,
    ...kept,
    pickup: end('pickup'),
    dropoff: end('dropoff'),
    items: rebasedItems(form, base, theirs),
  };
}
