import { plainAmount } from '@portage/domain';

import { bookingRequest } from '../draft/booking-request.ts';
import type { Draft } from '../draft/draft.ts';

/** A tip of nothing is no tip. */
const zero = /^0*(?:\.0*)?$/;

/**
 * The body of `POST /bookings`. `expectedTotal` is the price on the screen: the server refuses another one instead of
 * charging it.
 */
export function bookingBody(draft: Draft, expectedTotal: string) {
  const tip = plainAmount(draft.tipValue);
  return {
    bookingRequest: { ...bookingRequest(draft), expectedTotal },
    ...(zero.test(tip) ? {} : { tipRequest: { type: draft.tipType, value: tip } }),
  };
}

export type BookingBody = ReturnType<typeof bookingBody>;
