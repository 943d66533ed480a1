import type { Place } from '@portage/address';
import {
  type Caller,
  type EstimateRequest,
  type ExtraService,
  type MoveKind,
  type PaymentMethod,
  type PhoneOrder,
  provinceOf,
  type SelectedFurniture,
} from '@portage/api';
import { noRooms, type Rooms } from '@portage/furniture';
import type { Language } from '@portage/i18n';

import { addressBody, emptyEnd, type MoveEnd, type Side, sides } from '../parts/move-ends.ts';
import { draftOf, type MoveForm, type MoveKey } from '../parts/move-form.ts';

/** Somebody who has moved with us before. */
export interface KnownCustomer {
  hasCard: boolean;
  moves: number;
  /** Open money of all their moves. */
  owes: string;
}

/** Everything that a caller says, and what is decided about it. */
export interface OrderForm {
  caller: Caller;
  known: KnownCustomer | null;
  ends: Record<Side, MoveEnd>;
  kind: MoveKind;
  items: SelectedFurniture[];
  rooms: Rooms;
  ownItems: string;
  assembly: boolean;
  services: ExtraService[];
  move: MoveForm;
  /** Instant of the chosen start, from the server. */
  startsAt: string | null;
  payment: PaymentMethod;
  /** The partner who gets the invoice; empty: the customer. */
  partner: string;
  agreed: boolean;
}

export function emptyOrder(language: Language): OrderForm {
  return {
    caller: { email: '', firstName: '', lastName: '', phone: '', language },
    known: null,
    ends: { pickup: emptyEnd(), dropoff: emptyEnd() },
    kind: 'residential',
    items: [],
    rooms: noRooms(),
    ownItems: '',
    assembly: true,
    services: [],
    move: {
      date: '',
      time: '',
      mateCount: '2',
      rideAlong: false,
      clientAsMate: false,
      justMates: false,
      comments: '',
      discountCode: '',
      pickupAptUnit: '',
      pickupFloor: '0',
      pickupHasElevator: '0',
      pickupHasParking: true,
      pickupAccessibility: 'easy',
      pickupDetails: '',
      dropoffAptUnit: '',
      dropoffFloor: '0',
      dropoffHasElevator: '0',
      dropoffHasParking: true,
      dropoffAccessibility: 'easy',
      dropoffDetails: '',
    },
    startsAt: null,
    payment: 'link',
    partner: '',
    agreed: false,
  };
}

/** What a tab has kept, when it has the shape of today. */
export function orderOf(kept: unknown, language: Language): OrderForm | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const empty = emptyOrder(language);
  const fits = (Object.keys(empty) as (keyof OrderForm)[]).every((key) => key in kept);
  return fits ? { ...empty, ...(kept as OrderForm) } : null;
}

/** A way by truck between the two ends. */
export interface Route {
  minutes: number;
  /** Kilometres with one decimal. */
  km: string;
}

export function chosenItems({ items }: OrderForm): SelectedFurniture[] {
  return items.filter(({ quantity }) => quantity > 0);
}

/** An address as the price takes it. */
export function partial({ address, coords }: Place): NonNullable<EstimateRequest['pickupAddress']> {
  return {
    province: provinceOf(address.province),
    city: address.city,
    postalCode: address.postalCode,
    ...coords,
  };
}

/** Whole mates; what cannot be one is two, as everywhere at the start. */
export function matesOf({ move }: OrderForm): number {
  const count = Number(move.mateCount);
  return Number.isInteger(count) && count > 0 ? count : 2;
}

/** What the price is asked with; null while it cannot be asked. */
export function estimateOf(form: OrderForm, route: Route | null): EstimateRequest | null {
  const { pickup, dropoff } = form.ends;
  const furnitures = chosenItems(form);
  if (!pickup.place || !dropoff.place || !route || furnitures.length === 0) return null;
  const { move } = form;
  const door = (side: Side) => ({
    floor: Number(move[`${side}Floor`]) || 0,
    elevator: Number(move[`${side}HasElevator`]) || 0,
    parking: move[`${side}HasParking`],
    accessibility: move[`${side}Accessibility`] as 'easy' | 'moderate' | 'difficult',
  });
  return {
    travelDuration: route.minutes,
    distanceKm: route.km,
    selectedFurnitures: { furnitures },
    mateCount: matesOf(form),
    locationDetails: sides.map(door),
    pickupAddress: partial(pickup.place),
    dropoffAddress: partial(dropoff.place),
    rideAlong: move.rideAlong,
    clientAsMate: move.clientAsMate,
    justMates: move.justMates,
    moveKind: form.kind,
    discountCode: move.discountCode.trim() || null,
    ...(move.date ? { movingDate: move.date } : {}),
    ...(form.assembly ? {} : { assembly: false }),
    ...(form.services.length > 0 ? { extraServices: form.services } : {}),
  };
}

const bodyKeys: MoveKey[] = [
  'date',
  'time',
  'mateCount',
  'rideAlong',
  'clientAsMate',
  'justMates',
  'pickupAptUnit',
  'pickupFloor',
  'pickupHasElevator',
  'pickupHasParking',
  'pickupAccessibility',
  'pickupDetails',
  'dropoffAptUnit',
  'dropoffFloor',
  'dropoffHasElevator',
  'dropoffHasParking',
  'dropoffAccessibility',
  'dropoffDetails',
];

/** What is sent. `total` is the price that was said on the phone: another one is refused instead of booked. */
export function bodyOf(form: OrderForm, total: string): PhoneOrder {
  const { caller, ends, move } = form;
  const words = [form.ownItems.trim(), move.comments.trim()].filter(Boolean).join('\n');
  return {
    customer: {
      email: caller.email.trim(),
      firstName: caller.firstName.trim(),
      lastName: caller.lastName.trim(),
      phone: caller.phone.trim(),
      language: caller.language,
    },
    payment: form.payment,
    ...(form.payment === 'invoice' && form.partner ? { partnerId: form.partner } : {}),
    bookingRequest: {
      ...draftOf(move, bodyKeys),
      pickup: addressBody(ends.pickup),
      dropoff: addressBody(ends.dropoff),
      pickupCoords: ends.pickup.place?.coords ?? null,
      dropoffCoords: ends.dropoff.place?.coords ?? null,
      bookingType: form.kind,
      selectedFurnitures: chosenItems(form),
      assembly: form.assembly,
      extraServices: form.services,
      discountCode: move.discountCode.trim() || null,
      comments: words,
      phone: caller.phone.trim(),
      guidelinesAgreed: form.agreed,
      language: caller.language,
      expectedTotal: total,
    },
  };
}
