import type { Estimate } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';

import { useDraft } from '../draft/draft-store.ts';
import { estimateQuery } from '../estimate/estimate-query.ts';
import { useEstimate } from '../estimate/estimate-context.tsx';
import { leastPayload, ofNoDraft } from '../estimate/least.ts';

export interface FromPrice {
  phase: 'none' | 'loading' | 'known' | 'failed';
  estimate: Estimate | null;
}

/** Where the price begins, as soon as both addresses are known; none where the move cannot be booked. */
export function useFromPrice(): FromPrice {
  const draft = useDraft();
  const language = useLanguage();
  const { route, refused } = useEstimate();
  const payload = refused === null ? leastPayload(draft, route) : null;
  const asked = payload ? JSON.stringify(payload) : null;
  const query = useQuery(estimateQuery(ofNoDraft, asked, language));
  const estimate = query.data ?? null;
  return { phase: asked === null ? 'none' : estimate ? 'known' : query.isError ? 'failed' : 'loading', estimate };
}
