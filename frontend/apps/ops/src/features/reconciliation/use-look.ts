import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { compareNow, reconciliationKey } from './queries.ts';

/** How often the page asks whether the comparison is over. */
const step = 2_000;
/** After so long it says that it takes longer; the list of jobs then says why. */
const patience = 120_000;

interface Found {
  last?: { at: string } | null;
  failed?: { at: string } | null;
}

/** A comparison that somebody asked for, until it is there or has failed. */
export function useLook() {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<string | null>(null);
  const [late, setLate] = useState(false);
  const ask = useMutation({
    mutationFn: compareNow,
    onMutate: () => setLate(false),
    onSuccess: ({ askedAt }) => {
      setAsked(askedAt);
      return queries.invalidateQueries({ queryKey: reconciliationKey });
    },
  });
  useEffect(() => {
    if (!asked) return;
    const timer = setTimeout(() => {
      setAsked(null);
      setLate(true);
    }, patience);
    return () => clearTimeout(timer);
  }, [asked]);
  const after = (at: string | undefined) => at !== undefined && asked !== null && Date.parse(at) >= Date.parse(asked);
  // one that failed is an answer, too
  const over = (found: Found | undefined) => after(found?.last?.at) || after(found?.failed?.at);
  return {
    now: () => ask.mutate(),
    asks: ask.isPending,
    failure: ask.error,
    late,
    waitsFor: (found: Found | undefined) => asked !== null && !over(found),
    interval: (query: { state: { data?: Found | undefined } }) =>
      asked !== null && !over(query.state.data) ? step : (false as const),
  };
}
