import { bookingRequest } from '../draft/booking-request.ts';
import type { Draft } from '../draft/draft.ts';

/** A tip of nothing is no tip. */
const zero = /^0*(?:[.,]0*)?$/;

/**
 * The body of `POST /bookings`. `expectedTotal` is the price on the screen: the server refuses another one instead of
 * charging it. A decimal comma of the tip becomes a dot.
 */
export function bookingBody(draft: Draft, expectedTotal: string) {
  const tip = draft.tipValue.trim();
  return {
    bookingRequest: { ...bookingRequest(draft), expectedTotal },
    ...(zero.test(tip) ? {} : { tipRequest: { type: draft.tipType, value: tip.replace(',', '.') } }),
  };
}

export type BookingBody = ReturnType<typeof bookingBody>;
