import { api, type ApiProblem, asProblem, type BookingDetail, unwrap } from '@portage/api';

import { type Attempt, attempts } from './attempt.ts';

/** Nobody knows whether the booking was made: no answer, a failing server, or the same try still at work. */
export function isUnanswered(problem: ApiProblem): boolean {
  return problem.status === 0 || problem.status >= 500 || problem.code === 'request_in_flight';
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

function post({ key, body }: Attempt): Promise<BookingDetail> {
  return unwrap(api.POST('/bookings', { params: { header: { 'Idempotency-Key': key } }, body }));
}

/**
 * Sends a try and stays with it through short trouble: the same key and body, so that the answer of the first arrival
 * is the answer of all. Rejects with the last problem; the try stays stored while its end is unknown.
 */
export async function book(attempt: Attempt, pauses: readonly number[] = [800, 2500]): Promise<BookingDetail> {
  for (const pause of [...pauses, null]) {
    try {
      const booking = await post(attempt);
      attempts.finished();
      return booking;
    } catch (error) {
      const problem = asProblem(error);
      if (!isUnanswered(problem)) {
        if (problem.status === 401 || problem.status === 429) attempts.notTaken();
        else attempts.refused();
        throw problem;
      }
      if (pause === null) throw problem;
      await wait(pause);
    }
  }
  throw new Error('not reached');
}

/** One payment at a time in this browser, however many tabs and clicks. */
export function exclusively<T>(work: () => Promise<T>): Promise<T> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition
  if (!navigator.locks) return work();
  return navigator.locks.request('portage.payment', work) as Promise<T>;
}
