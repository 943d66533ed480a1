import { newIdempotencyKey } from '@portage/api';

import { bookingBody, type BookingBody } from '../../booking/checkout/booking-body.ts';
import type { Draft } from '../../booking/draft/draft.ts';
import { keyOf } from '../../shell/forget.ts';
import { accountHere } from '../../shell/owner.ts';

/**
 * One try to book, as it was sent. The key goes with the body for as long as nobody knows how the try ended: across a
 * reload, a lost connection or a second tab, sending it again books and charges at most once. It is its owner's alone: no
 * other account sends it.
 */
export interface Attempt {
  key: string;
  body: BookingBody;
  /** The account that sent it. */
  owner: string | null;
  /** Sent, and no answer that settles it has come yet. */
  sent: boolean;
}

/** What says nothing of which move it is: the hold may have been renewed since, and the page changed its language. */
const beside = new Set(['expectedTotal', 'holdId', 'language']);

function moveOf({ bookingRequest }: BookingBody): string {
  return JSON.stringify(bookingRequest, (key, value: unknown) => (beside.has(key) ? undefined : value));
}

/** Whether a draft is the move that was sent, and not another one that was begun since. */
export function isMoveOf(attempt: Attempt, draft: Draft): boolean {
  return moveOf(attempt.body) === moveOf(bookingBody(draft, ''));
}

function isAttempt(value: unknown): value is Omit<Attempt, 'owner'> {
  if (typeof value !== 'object' || value === null) return false;
  const { key, body, sent } = value as Partial<Attempt>;
  return typeof key === 'string' && typeof sent === 'boolean' && typeof body === 'object' && body !== null;
}

function write({ owner, ...attempt }: Attempt): void {
  try {
    localStorage.setItem(keyOf('attempt', owner), JSON.stringify(attempt));
  } catch {
    // without storage the hold on the time still lets the server recognise a second try
  }
}

function remove({ owner }: Attempt): void {
  try {
    localStorage.removeItem(keyOf('attempt', owner));
  } catch {
    // nothing was kept either
  }
}

export const attempts = {
  /** The try of the account here. */
  read(): Attempt | null {
    const owner = accountHere();
    try {
      const value: unknown = JSON.parse(localStorage.getItem(keyOf('attempt', owner)) ?? 'null');
      return isAttempt(value) ? { ...value, owner } : null;
    } catch {
      return null;
    }
  },
  /** The try to send now: an unanswered one first, exactly as it was; the same key for the same body; else a new one. */
  begin(body: BookingBody): Attempt {
    const former = attempts.read();
    const same = former !== null && (former.sent || JSON.stringify(former.body) === JSON.stringify(body));
    const attempt: Attempt = same
      ? { ...former, sent: true }
      : { key: newIdempotencyKey(), body, sent: true, owner: accountHere() };
    write(attempt);
    return attempt;
  },
  /** The server refused: nothing was booked. A corrected try is another one. */
  refused: remove,
  /** The server did not look at it (session over, too many calls): nothing was booked, and the same try may come again. */
  notTaken(attempt: Attempt): void {
    write({ ...attempt, sent: false });
  },
  /** Booked. */
  finished: remove,
  /** A try nobody knows the end of. */
  unanswered(): Attempt | null {
    const attempt = attempts.read();
    return attempt?.sent ? attempt : null;
  },
};
