import type { EstimateRequest } from '@portage/api';

import { areaVerdict, requestAddress } from '../draft/address.ts';
import type { Draft } from '../draft/draft.ts';

/** A way by truck between the two ends. */
export interface Route {
  /** Minutes of driving. */
  minutes: number;
  /** Kilometres, as a decimal string. */
  km: string;
}

/** What the estimate asks, or null while the draft cannot be priced: it takes a route, one piece of furniture, and ends that we serve. */
export function estimatePayload(draft: Draft, route: Route | null): EstimateRequest | null {
  const furnitures = draft.selectedFurnitures.filter((item) => item.quantity > 0);
  const { pickup, dropoff } = draft.ends;
  if (!pickup.place || !dropoff.place || furnitures.length === 0 || !route) return null;
  // a price would promise what is refused
  if (areaVerdict(draft.ends) === 'refused') return null;
  return {
    travelDuration: route.minutes,
    selectedFurnitures: { furnitures },
    mateCount: Math.max(1, draft.mateCount),
    locationDetails: [pickup, dropoff].map(({ floor, elevator, parking, accessibility }) => ({
      floor,
      elevator,
      parking,
      accessibility,
    })),
    rideAlong: draft.rideAlong,
    ...(draft.date ? { movingDate: draft.date } : {}),
    discountCode: draft.discountCode,
    clientAsMate: draft.clientAsMate,
    justMates: draft.justMates,
    pickupAddress: requestAddress(pickup.place),
    dropoffAddress: requestAddress(dropoff.place),
    ...(draft.assembly ? {} : { assembly: false }),
    ...(draft.extraServices.length > 0 ? { extraServices: draft.extraServices } : {}),
    moveKind: draft.bookingType,
    distanceKm: route.km,
    ...(draft.savedQuote ? { savedQuote: draft.savedQuote } : {}),
  };
}

/** Minutes as the estimate wants them: seconds divided by 60, at least 1. */
export function travelMinutes(seconds: number): number {
  return Math.max(1, Math.round(seconds / 60));
}

/** Kilometres with one decimal, as a decimal string. */
export function kilometres(metres: number): string {
  const tenths = Math.round(metres / 100);
  return `${Math.floor(tenths / 10)}.${tenths % 10}`;
}
