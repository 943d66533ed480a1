import { api, type ApiProblem, asProblem, type Booking, type BookingDraftBody, unwrap } from '@portage/api';

/** What was sent to change a booking, kept until it is known what became of it: across a reload, too. */
export interface EditAttempt {
  booking: string;
  /** The version that was to be changed. */
  version: number;
  sent: Record<string, unknown>;
  /** Epoch milliseconds by this device's clock. */
  at: number;
}

/** `saved`: it counts. `changed`: something else happened to the booking. `pending`: not so far. `unread`: the server could not be asked. */
export type Fate = 'saved' | 'changed' | 'pending' | 'unread';

const storageKey = 'portage.editAttempt';
/** Long after every time-out between here and the gateway: what has not counted by then never will. */
const given = 15 * 60_000;

export const editAttempts = {
  /** A change of this booking nobody knows the end of. */
  of(booking: string): EditAttempt | null {
    try {
      const value = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<EditAttempt> | null;
      if (value?.booking !== booking || typeof value.version !== 'number' || typeof value.at !== 'number') return null;
      if (Date.now() - value.at > given) return null;
      return { booking, version: value.version, at: value.at, sent: value.sent ?? {} };
    } catch {
      return null;
    }
  },
  keep(attempt: EditAttempt): void {
    try {
      localStorage.setItem(storageKey, JSON.stringify(attempt));
    } catch {
      // it is then known for as long as the dialog is open
    }
  },
  settled(): void {
    try {
      localStorage.removeItem(storageKey);
    } catch {
      // nothing was kept either
    }
  },
};

/** What of a booking shows that this very change was made. */
function figures(
  booking: Pick<Booking, 'date' | 'time' | 'mateCount' | 'total' | 'comments'>,
): Record<string, unknown> {
  const { date, time, mateCount, total, comments } = booking;
  return { date, time, mateCount, total, comments };
}

export function editAttempt(
  booking: string,
  version: number,
  body: BookingDraftBody,
  total: string,
  now: number,
): EditAttempt {
  const { date, time, mateCount, comments } = body;
  return { booking, version, sent: { date, time, mateCount, total, comments }, at: now };
}

/** No answer, or one that says nothing about the change: it may have been made, and charged. */
export function isFateUnknown(problem: ApiProblem): boolean {
  return problem.status === 0 || problem.status >= 500 || problem.code === 'request_in_flight';
}

/** Milliseconds between looks at the booking, about a minute in all. */
export const lookUpPauses = [500, 1500, 3000, 5000, 10_000, 15_000, 20_000];

/** Reads the booking until it is known what became of the change. It only reads: sending it again could charge twice. */
export async function lookUp(attempt: EditAttempt): Promise<Fate> {
  let fate: Fate = 'unread';
  for (const pause of [...lookUpPauses, null]) {
    try {
      const booking = await unwrap(api.GET('/c/bookings/{id}', { params: { path: { id: attempt.booking } } }));
      const made = figures(booking);
      const same = Object.keys(made).every((name) => made[name] === attempt.sent[name]);
      if (booking.version > attempt.version) return same ? 'saved' : 'changed';
      fate = 'pending';
    } catch (error) {
      fate = 'unread';
      // refused, not silent: asking on changes nothing
      const problem = asProblem(error);
      if (!isFateUnknown(problem) && problem.status !== 429) return fate;
    }
    if (pause !== null)
      await new Promise((resolve) => {
        setTimeout(resolve, pause);
      });
  }
  return fate;
}
