import { plainAmount } from '@portage/domain';

import { bookingRequest } from '../draft/booking-request.ts';
import type { Draft } from '../draft/draft.ts';

/** A tip of nothing is no tip. */
const zero = /^0*(?:\.0*)?$/;

/**
 * The body of `POST /bookings`. `expectedTotal` is the price on the screen and `policyVersion` that of the rules agreed
 * to: the server refuses others instead of booking under them.
 */
export function bookingBody(draft: Draft, expectedTotal: string) {
  const tip = plainAmount(draft.tipValue);
  return {
    bookingRequest: {
      ...bookingRequest(draft),
      ...(draft.agreedPolicy === null ? {} : { policyVersion: draft.agreedPolicy }),
      expectedTotal,
    },
    ...(zero.test(tip) ? {} : { tipRequest: { type: draft.tipType, value: tip } }),
  };
}

export type BookingBody = ReturnType<typeof bookingBody>;
