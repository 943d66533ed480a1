import { api, asProblem, type CardLink, unwrap } from '@portage/api';
import { keepAnswer } from '@portage/frame/keep-answer';
import { type CardHandle, CardRefused } from '@portage/payments';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';

import { cardLinkQuery } from './card-link-query.ts';
import type { Progress, Trouble } from './use-link-payment.ts';

/** Answers that mean that the link has another state by now, which the page then shows. */
const movedOn = new Set(['link_ended', 'not_found']);

/** The one press that adds a card by a link, and charges what was declined with it. */
export function useCardLink(token: string, card: RefObject<CardHandle | null>) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>('idle');
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  /** What this page has charged, for the thanks. */
  const [charged, setCharged] = useState<string | null>(null);
  // state comes too late for the second of two quick presses
  const busy = useRef(false);
  const query = cardLinkQuery(token);
  const show = (link: CardLink) => keepAnswer<CardLink>(queries, query, link);

  /** True once there is nothing left to press. */
  const send = async (open: CardLink, paymentNonce: string): Promise<boolean> => {
    try {
      const stored = await unwrap(
        api.POST('/card/{id}', { params: { path: { id: token } }, body: { paymentNonce, amount: open.amount } }),
      );
      setCharged(open.amount);
      await show(stored);
      return stored.state === 'done';
    } catch (error) {
      const problem = asProblem(error);
      const { total } = problem.members;
      if (problem.code === 'price_changed' && typeof total === 'string') {
        await show({ ...open, amount: total });
      } else if (problem.code === 'payment_in_flight') {
        await show({ ...open, state: 'working' });
      } else if (movedOn.has(problem.code)) {
        await queries.invalidateQueries({ queryKey: query.queryKey });
      } else if (problem.status === 0 || problem.status >= 500) {
        // it may have been taken all the same: the link itself knows
        await queries.invalidateQueries({ queryKey: query.queryKey });
        setTrouble({ kind: 'silent' });
      } else setTrouble({ kind: 'refused', problem });
      return false;
    }
  };

  const store = async (open: CardLink): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    // what is done is drawn a moment later: until then the button is still there, and a press must find it busy
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
  return { store, progress, trouble, charged };
}
