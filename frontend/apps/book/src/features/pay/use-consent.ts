import { api, type ApiProblem, asProblem, unwrap } from '@portage/api';
import { keepAnswer } from '@portage/frame/keep-answer';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { consentQuery } from './consent-query.ts';

/** Why the last press was not an answer. */
export type AnswerTrouble = { kind: 'offline' } | { kind: 'silent' } | { kind: 'refused'; problem: ApiProblem };

/** The one answer to a question. The same press again is told the same; what became of a lost one the link itself knows. */
export function useConsent(token: string) {
  const queries = useQueryClient();
  const [sending, setSending] = useState<'agree' | 'refuse' | null>(null);
  const [trouble, setTrouble] = useState<AnswerTrouble | null>(null);
  // state comes too late for the second of two quick presses
  const busy = useRef(false);
  const query = consentQuery(token);

  const answer = async (agree: boolean): Promise<void> => {
    if (busy.current) return;
    setTrouble(null);
    if (!navigator.onLine) {
      setTrouble({ kind: 'offline' });
      return;
    }
    busy.current = true;
    // the answer is drawn a moment later: until then the buttons are still there, and a press must find them busy
    let done = false;
    setSending(agree ? 'agree' : 'refuse');
    try {
      const told = await unwrap(api.POST('/consent/{id}', { params: { path: { id: token } }, body: { agree } }));
      await keepAnswer(queries, query, told);
      done = true;
    } catch (error) {
      const problem = asProblem(error);
      await queries.invalidateQueries({ queryKey: query.queryKey });
      const silent = problem.status === 0 || problem.status >= 500;
      // what was answered before, or is no link any more, the page says by itself now
      if (problem.code !== 'not_found') setTrouble(silent ? { kind: 'silent' } : { kind: 'refused', problem });
    } finally {
      busy.current = done;
      setSending(null);
    }
  };
  return { answer, sending, trouble };
}
