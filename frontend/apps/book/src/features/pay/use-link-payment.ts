import { api, type ApiProblem, asProblem, type LinkPayment, unwrap } from '@portage/api';
import { keepAnswer } from '@portage/frame/keep-answer';
import { type CardHandle, CardRefused } from '@portage/payments';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';

import { linkQuery } from './link-query.ts';

/** What the button is doing right now. */
export type Progress = 'idle' | 'card' | 'paying';

/** Why the last press did not pay. `offline`: nothing was sent. `silent`: nobody knows yet. */
export type Trouble = { kind: 'offline' } | { kind: 'silent' } | { kind: 'refused'; problem: ApiProblem };

/** Answers that mean that the link has another state by now, which the page then shows. */
const movedOn = new Set(['nothing_owed', 'link_ended', 'not_found']);

/** The one press that pays a link: card, then payment, and what is known after every way it may end. */
export function useLinkPayment(token: string, card: RefObject<CardHandle | null>) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>('idle');
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  /** What this page has charged, for the thanks. */
  const [charged, setCharged] = useState<string | null>(null);
  // state comes too late for the second of two quick presses
  const busy = useRef(false);
  const query = linkQuery(token);
  const show = (payment: LinkPayment) => keepAnswer<LinkPayment>(queries, query, payment);

  /** Asks what has become of the link; false when nobody answers. */
  const lookAgain = async (): Promise<LinkPayment | null> => {
    await queries.invalidateQueries({ queryKey: query.queryKey });
    const { data, status } = queries.getQueryState(query.queryKey) ?? {};
    return status === 'success' ? ((data as LinkPayment | undefined) ?? null) : null;
  };

  /** True once there is nothing left to press. */
  const send = async (open: LinkPayment, paymentNonce: string): Promise<boolean> => {
    try {
      const paid = await unwrap(
        api.POST('/pay/{id}', { params: { path: { id: token } }, body: { paymentNonce, amount: open.amount } }),
      );
      setCharged(open.amount);
      await show(paid);
      return paid.state === 'paid';
    } catch (error) {
      const problem = asProblem(error);
      const { total } = problem.members;
      if (problem.code === 'price_changed' && typeof total === 'string') {
        await show({ ...open, amount: total });
      } else if (problem.code === 'payment_in_flight') {
        await show({ ...open, state: 'working' });
      } else if (movedOn.has(problem.code)) {
        await lookAgain();
      } else if (problem.status === 0 || problem.status >= 500) {
        // it may have been paid all the same: the link itself knows
        const now = await lookAgain();
        if (now?.state === 'paid') setCharged(open.amount);
        if (now === null || now.state === 'open') setTrouble({ kind: 'silent' });
      } else setTrouble({ kind: 'refused', problem });
      return false;
    }
  };

  const pay = async (open: LinkPayment): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    // what is paid is drawn a moment later: until then the button is still there, and a press must find it busy
    let done = false;
    setTrouble(null);
    try {
      if (!navigator.onLine) {
        setTrouble({ kind: 'offline' });
        return;
      }
      setProgress('card');
      let nonce: string;
      try {
        nonce = (await card.current?.tokenise()) ?? '';
      } catch (error) {
        // the form has said what is wrong with the card itself
        if (!(error instanceof CardRefused)) setTrouble({ kind: 'refused', problem: asProblem(error) });
        return;
      }
      setProgress('paying');
      done = await send(open, nonce);
    } finally {
      busy.current = done;
      setProgress('idle');
    }
  };
  return { pay, progress, trouble, charged };
}
