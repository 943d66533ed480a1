/** Where a try to book is kept until its end is known (`features/payment/attempt.ts`). */
export const attemptKey = 'portage.attempt';

/** Whether a booking was sent whose answer never came. */
export function isBookingUnanswered(): boolean {
  try {
    return /"sent":true/.test(localStorage.getItem(attemptKey) ?? '');
  } catch {
    return false;
  }
}
