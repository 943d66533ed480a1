import type { Estimate, EstimateRequest } from '@portage/api';

import type { Draft } from '../draft/draft.ts';
import { estimatePayload, type Route } from './payload.ts';

/** The least that makes it a move: what is billed for one box is the shortest time, the truck and the way. */
const leastItems = [{ id: 'box-small-1-5', quantity: 1 }];
/** No draft has this generation: what is asked here is never taken for the price of the person's own move. */
export const ofNoDraft = -1;
/** A way of so many kilometres may be too long for a day's work, and is judged before anything of it is priced. */
const farFrom = 100;

/** The question whose answer is the least that a move over this way costs, with the usual crew on an ordinary day. */
export function leastPayload(draft: Draft, route: Route | null): EstimateRequest | null {
  return estimatePayload(
    {
      ...draft,
      selectedFurnitures: leastItems,
      mateCount: 2,
      date: null,
      discountCode: null,
      rideAlong: false,
      clientAsMate: false,
      justMates: false,
    },
    route,
  );
}

export function isFar(route: Route | null): boolean {
  return route !== null && Number(route.km) > farFrom;
}

/** A way that no crew can do with a single box: whatever is moved over it cannot be booked online. */
export function isTooFar(least: Estimate | null): boolean {
  return least?.warnings.some(({ code }) => code === 'contact_support') ?? false;
}
