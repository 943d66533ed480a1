import { type ApiProblem, asProblem, type Booking, type OwnProfile } from '@portage/api';
import { parseCents } from '@portage/domain';
import { rememberCard } from '@portage/frame';
import { type CardHandle, CardRefused, storeCard } from '@portage/payments';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { bookingBody } from '../../booking/checkout/booking-body.ts';
import { lastBooking } from '../../booking/checkout/last-booking.ts';
import { draftStore } from '../../booking/draft/draft-store.ts';
import { allDone } from '../../booking/draft/steps.ts';
import { loseStart } from '../../booking/hold/lost-start.ts';
import { chatAfterBooking } from '../../shell/chat/chat-session.ts';
import { accountHere } from '../../shell/owner.ts';
import { useSession } from '../../shell/session.ts';
import { type Attempt, attempts, isMoveOf } from './attempt.ts';
import { book, exclusively } from './pay.ts';

/** What the button is doing right now. */
export type Progress = 'idle' | 'card' | 'booking' | 'working';

export interface Outcome {
  /** Storing the card: the first half. */
  payment: 'initial' | 'success' | 'error';
  /** Making the booking: the second half. */
  booking: 'notDone' | 'success' | 'failed';
  /** Which call the problem came from. */
  from: 'customer' | 'card' | 'booking' | null;
  problem: ApiProblem | null;
}

/** Does what comes after the booking; a failure is for the developers, the booking stands. */
function afterwards(work: () => void): void {
  try {
    work();
  } catch (error) {
    console.error(error);
  }
}

const initial: Outcome = { payment: 'initial', booking: 'notDone', from: null, problem: null };

interface PaymentInput {
  profile: OwnProfile | undefined;
  card: RefObject<CardHandle | null>;
  /** Pays with the card that is stored already. */
  payWithStored: boolean;
  /** Total of the estimate, tax included. */
  estimated: string;
  /** Told that it is booked and the confirmation is on its way, before the draft is emptied; and where it does not come. */
  onLeaving: (leaving: boolean) => void;
}

/** The two halves of paying, card and booking, with everything that may go wrong between them. */
export function usePayment({ profile, card, payWithStored, estimated, onLeaving }: PaymentInput) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const session = useSession();
  const [progress, setProgress] = useState<Progress>('idle');
  const [outcome, setOutcome] = useState<Outcome>(initial);
  const [changed, setChanged] = useState<{ shown: string; total: string } | null>(null);
  const [unanswered, setUnanswered] = useState(() => attempts.unanswered() !== null);
  // state comes too late for the second of two quick clicks
  const busy = useRef(false);

  // it is booked: nothing that goes wrong from here on may say otherwise
  const succeed = useCallback(
    async (booking: Booking, attempt: Attempt) => {
      // drawn at once: emptying the draft is drawn before what waits its turn, and the page would say what another tab's does
      flushSync(() => {
        setOutcome({ payment: 'success', booking: 'success', from: null, problem: null });
        onLeaving(true);
      });
      const user = session.status === 'signedIn' ? session.user : null;
      afterwards(() => lastBooking.remember(booking));
      // another move may have been begun while nobody knew how this one ended
      afterwards(() => {
        if (isMoveOf(attempt, draftStore.get())) draftStore.reset();
      });
      afterwards(() =>
        chatAfterBooking(
          { bookingType: booking.moveType, moveDate: booking.date, price: Number(booking.total) },
          user?.email ? { id: user.sub, email: user.email, ...(user.name ? { name: user.name } : {}) } : null,
        ),
      );
      await navigate({ to: '/confirmation', search: { booking: booking.id } }).catch((error: unknown) => {
        console.error(error);
        onLeaving(false);
      });
    },
    [navigate, onLeaving, session],
  );

  const failBooking = useCallback(
    (problem: ApiProblem) => {
      setUnanswered(attempts.unanswered() !== null);
      // the page leaves for the schedule by itself
      if (loseStart(problem, null)) return;
      if (problem.code === 'terms_changed') {
        // and for the guidelines, which show the rules of today
        void queries.invalidateQueries({ queryKey: ['/booking/payment-plan'] });
        draftStore.patch({ guidelinesAgreed: false });
        return;
      }
      const { total: now } = problem.members;
      if (problem.code === 'price_changed' && typeof now === 'string' && parseCents(now) !== null)
        setChanged({ shown: estimated, total: now });
      setOutcome({ payment: 'success', booking: 'failed', from: 'booking', problem });
    },
    [estimated, queries],
  );

  // the server's own price, once it has said that it is another one; until the estimate changes again
  const total = changed?.shown === estimated ? changed.total : estimated;

  const settleCard = useCallback(async (): Promise<boolean> => {
    if (payWithStored || !profile) return true;
    setProgress('card');
    const from = profile.wallet.customerId === null ? 'customer' : 'card';
    try {
      rememberCard(await storeCard(profile, (await card.current?.tokenise()) ?? ''));
      return true;
    } catch (error) {
      if (error instanceof CardRefused) return false;
      setOutcome({ payment: 'error', booking: 'notDone', from, problem: asProblem(error) });
      return false;
    }
  }, [card, profile, payWithStored]);

  const pay = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    setOutcome(initial);
    const account = accountHere();
    try {
      await exclusively(async () => {
        if (accountHere() !== account) return;
        // another tab may have booked this draft while this one waited for its turn
        if (attempts.unanswered() === null && !allDone(draftStore.get())) return;
        // a try without an answer is settled before anything else, as it was sent
        if (attempts.unanswered() === null && !(await settleCard())) return;
        // what was agreed to by one account is never sent by another that has signed in meanwhile
        if (accountHere() !== account) return;
        setProgress('booking');
        let booking: Booking;
        let attempt: Attempt;
        try {
          const repeated = attempts.unanswered() !== null;
          attempt = attempts.begin(bookingBody(draftStore.get(), total));
          booking = await book(attempt, { repeated, onWorking: () => setProgress('working') });
        } catch (error) {
          failBooking(asProblem(error));
          return;
        }
        await succeed(booking, attempt);
      });
    } finally {
      busy.current = false;
      setProgress('idle');
    }
  }, [failBooking, settleCard, succeed, total]);

  return { pay, progress, outcome, total, unanswered };
}
