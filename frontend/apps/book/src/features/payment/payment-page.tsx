import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';

import { isBookingUnanswered } from '../../booking/checkout/unanswered-booking.ts';
import { useSession } from '../../shell/session.ts';
import { RequireSession } from '../../shell/require-session.tsx';
import { useDraft } from '../../booking/draft/draft-store.ts';
import { allDone, firstMissing } from '../../booking/draft/steps.ts';
import { lastBooking } from '../../booking/checkout/last-booking.ts';
import { AlreadyBooked } from './already-booked.tsx';
import { Checkout } from './checkout.tsx';

/** Who may be here: somebody signed in, with a finished draft and the guidelines agreed to; or who has just booked. */
export function PaymentPage() {
  const draft = useDraft();
  const { user } = useSession();
  // this page has booked, and stays as it is until the confirmation takes its place
  const [leaving, setLeaving] = useState(false);
  // a try without an answer must be settled, whatever became of the draft meanwhile; whose it is shows when somebody has signed in
  if (!leaving && !isBookingUnanswered()) {
    if (draft.editing !== null) return <Navigate to="/quote" replace />;
    // somebody else has the start now: the schedule says so and offers the nearest ones, everything else is kept
    if (draft.lostSlot !== null && draft.time === null) return <Navigate to="/schedule" replace />;
    const booked = allDone(draft) ? null : lastBooking.read();
    if (booked) return <AlreadyBooked booking={booked} />;
    const missing = firstMissing(draft, '/payment');
    // other rules than those agreed to: their page says so itself
    const agreedOnce = missing === '/guidelines' && draft.agreedPolicy !== null;
    if (missing) return <Navigate to={missing} replace state={agreedOnce ? {} : { incomplete: true }} />;
  }
  return (
    <RequireSession>
      <Checkout key={user?.sub} onLeaving={setLeaving} />
    </RequireSession>
  );
}
