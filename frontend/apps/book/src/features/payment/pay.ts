import { api, ApiProblem, asProblem, type Booking, unwrap } from '@portage/api';

import { accountHere } from '../../shell/owner.ts';
import { type Attempt, attempts } from './attempt.ts';

/** The server has the try, or another payment of this booking, in hand: the outcome comes, only not yet. */
function isWorking(problem: ApiProblem): boolean {
  return problem.code === 'request_in_flight' || problem.code === 'payment_in_flight';
}

/** Nobody knows whether the booking was made: no answer, a failing server, or the same try still at work. */
function isUnanswered(problem: ApiProblem): boolean {
  return problem.status === 0 || problem.status >= 500 || isWorking(problem);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

async function post({ key, body, owner }: Attempt): Promise<Booking> {
  // somebody else may have signed in while the try was being asked about: it would be booked for them, and charged to them
  if (owner !== accountHere()) throw new ApiProblem({ status: 401, code: 'unauthenticated' });
  return unwrap(api.POST('/bookings', { params: { header: { 'Idempotency-Key': key } }, body }));
}

/** Milliseconds before the next question: when nobody answers, and when the server says that it is still working (in all about three minutes). */
export const standardPauses = {
  silent: [800, 2500],
  working: [1000, 2000, 4000, 8000, 15_000, 20_000, 30_000, 30_000, 30_000, 30_000],
};

interface Patience {
  pauses?: { silent: readonly number[]; working: readonly number[] };
  /** The try had been sent before without an answer, in this visit or an earlier one. */
  repeated?: boolean;
  /** Called whenever the server says that it is still at it. */
  onWorking?: () => void;
}

/**
 * Sends a try and stays with it: the same key and body, so that the answer of the first arrival is the answer of all.
 * Rejects with the last problem; the try stays stored while its end is unknown.
 */
export async function book(
  attempt: Attempt,
  { pauses = standardPauses, repeated = false, onWorking }: Patience = {},
): Promise<Booking> {
  let silent = 0;
  let working = 0;
  let lost = repeated;
  for (;;) {
    let problem: ApiProblem;
    try {
      const booking = await post(attempt);
      attempts.finished(attempt);
      return booking;
    } catch (error) {
      problem = asProblem(error);
    }
    if (!isUnanswered(problem)) {
      const notLookedAt = problem.status === 401 || problem.status === 429;
      if (!notLookedAt) attempts.refused(attempt);
      // of an earlier sending nobody has heard: this answer says nothing about it
      else if (!lost) attempts.notTaken(attempt);
      throw problem;
    }
    lost = true;
    const pause = isWorking(problem) ? pauses.working[working] : pauses.silent[silent];
    if (isWorking(problem)) {
      working += 1;
      silent = 0;
      onWorking?.();
    } else silent += 1;
    if (pause === undefined) throw problem;
    await wait(pause);
  }
}

/** One payment at a time in this browser, however many tabs and clicks. */
export function exclusively<T>(work: () => Promise<T>): Promise<T> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition
  if (!navigator.locks) return work();
  return navigator.locks.request('portage.payment', work) as Promise<T>;
}
