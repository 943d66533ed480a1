import { api, type ApiProblem, asProblem, type Booking, type BookingDraftBody, unwrap } from '@portage/api';

import { keyOf } from '../../shell/forget.ts';
import { accountHere } from '../../shell/owner.ts';

/** What was sent to change a booking, kept until it is known what became of it: across a reload, too. */
export interface EditAttempt {
  booking: string;
  /** The version that was to be changed. */
  version: number;
  sent: Record<string, unknown>;
  /** Epoch milliseconds by this device's clock. */
  at: number;
}

/**
 * What became of a change: `saved` when the booking shows it, `changed` when the booking shows another one, `pending` while
 * it shows none, `unread` when the server could not be asked.
 */
export type EditOutcome = 'saved' | 'changed' | 'pending' | 'unread';

const storageKey = () => keyOf('editAttempt', accountHere());
/** Milliseconds after which a change that the booking does not show was never made: every time-out on the way is shorter. */
const giveUpAfter = 15 * 60_000;

export const editAttempts = {
  /** The change of this booking whose outcome is not known yet. */
  of(booking: string): EditAttempt | null {
    try {
      const value = JSON.parse(localStorage.getItem(storageKey()) ?? 'null') as Partial<EditAttempt> | null;
      if (value?.booking !== booking || typeof value.version !== 'number' || typeof value.at !== 'number') return null;
      if (Date.now() - value.at > giveUpAfter) return null;
      return { booking, version: value.version, at: value.at, sent: value.sent ?? {} };
    } catch {
      return null;
    }
  },
  keep(attempt: EditAttempt): void {
    try {
      localStorage.setItem(storageKey(), JSON.stringify(attempt));
    } catch {
      // it is then known for as long as the dialog is open
    }
  },
  /** The outcome is known: nothing has to be kept. */
  settled(): void {
    try {
      localStorage.removeItem(storageKey());
    } catch {
      // nothing was kept either
    }
  },
};

/** The values by which a change is recognised in the booking. */
function comparedValues(
  booking: Pick<Booking, 'date' | 'time' | 'mateCount' | 'total' | 'comments'>,
): Record<string, unknown> {
  const { date, time, mateCount, total, comments } = booking;
  return { date, time, mateCount, total, comments };
}

export function newEditAttempt(
  booking: string,
  version: number,
  body: BookingDraftBody,
  total: string,
  now: number,
): EditAttempt {
  const { date, time, mateCount, comments } = body;
  return { booking, version, sent: { date, time, mateCount, total, comments }, at: now };
}

/** True when there is no answer, or one that says nothing about the change: it may have been made, and charged. */
export function isOutcomeUnknown(problem: ApiProblem): boolean {
  return problem.status === 0 || problem.status >= 500 || problem.code === 'request_in_flight';
}

/** Milliseconds between two reads of the booking, about a minute in all. */
export const findOutcomePauses = [500, 1500, 3000, 5000, 10_000, 15_000, 20_000];

/** Reads the booking until it is known what became of the change. It only reads: sending it again could charge twice. */
export async function findOutcome(attempt: EditAttempt): Promise<EditOutcome> {
  let outcome: EditOutcome = 'unread';
  for (const pause of [...findOutcomePauses, null]) {
    try {
      const booking = await unwrap(api.GET('/c/bookings/{id}', { params: { path: { id: attempt.booking } } }));
      const made = comparedValues(booking);
      const same = Object.keys(made).every((name) => made[name] === attempt.sent[name]);
      if (booking.version > attempt.version) return same ? 'saved' : 'changed';
      outcome = 'pending';
    } catch (error) {
      outcome = 'unread';
      // refused, not silent: asking on changes nothing
      const problem = asProblem(error);
      if (!isOutcomeUnknown(problem) && problem.status !== 429) return outcome;
    }
    if (pause !== null)
      await new Promise((resolve) => {
        setTimeout(resolve, pause);
      });
  }
  return outcome;
}
