import { keyOf } from '../../shell/forget.ts';
import { accountHere } from '../../shell/owner.ts';

const ofAnybody = keyOf('attempt', null);

/**
 * Whether a booking was sent whose answer never came (`features/payment/attempt.ts`): by the account here, or by any while
 * nobody is signed in. Whose it is shows when somebody has signed in.
 */
export function isBookingUnanswered(): boolean {
  const account = accountHere();
  const isTheirs = (key: string) => (account === null ? key.startsWith(ofAnybody) : key === keyOf('attempt', account));
  try {
    return Object.keys(localStorage).some(
      (key) => isTheirs(key) && /"sent":true/.test(localStorage.getItem(key) ?? ''),
    );
  } catch {
    return false;
  }
}
