import type { Estimate } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';

import { useDraft } from '../draft/draft-store.ts';
import { estimateQuery } from './estimate-query.ts';
import { useEstimate } from './estimate-context.tsx';
import { leastPayload, ofNoDraft } from './least.ts';

export interface FromPrice {
  phase: 'loading' | 'known' | 'failed' | null;
  estimate: Estimate | null;
}

/** Where the price begins, as soon as both addresses are known; none where the move cannot be booked. Without `ask` only what another has asked for. */
export function useFromPrice(ask = true): FromPrice {
  const draft = useDraft();
  const language = useLanguage();
  const { route, refused } = useEstimate();
  const payload = refused === null ? leastPayload(draft, route) : null;
  const asked = payload && JSON.stringify(payload);
  const query = useQuery({ ...estimateQuery(ofNoDraft, asked, language), enabled: ask && !!asked });
  const estimate = query.data ?? null;
  return { phase: !asked ? null : estimate ? 'known' : query.isError ? 'failed' : 'loading', estimate };
}
