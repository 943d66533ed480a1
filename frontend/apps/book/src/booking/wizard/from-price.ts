import type { Estimate } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';

import type { Draft } from '../draft/draft.ts';
import { useDraft } from '../draft/draft-store.ts';
import { estimateQuery } from '../estimate/estimate-query.ts';
import { useEstimate } from '../estimate/estimate-context.tsx';
import { estimatePayload, type Route } from '../estimate/payload.ts';

/** The least that makes it a move: what is billed for one box is the shortest time, the truck and the way. */
const leastItems = [{ id: 'box-small-1-5', quantity: 1 }];
/** No draft has this generation: what is asked here is never taken for the price of the person's own move. */
const ofNoDraft = -1;

/** The question whose answer is the least that a move over this way costs, with the usual crew on an ordinary day. */
export function leastPayload(draft: Draft, route: Route | null) {
  return estimatePayload(
    {
      ...draft,
      selectedFurnitures: leastItems,
      mateCount: 2,
      date: null,
      discountCode: null,
      rideAlong: false,
      clientAsMate: false,
      justMates: false,
    },
    route,
  );
}

export interface FromPrice {
  phase: 'none' | 'loading' | 'known' | 'failed';
  estimate: Estimate | null;
}

/** Where the price begins, as soon as both addresses are known. */
export function useFromPrice(): FromPrice {
  const draft = useDraft();
  const language = useLanguage();
  const { route } = useEstimate();
  const payload = leastPayload(draft, route);
  const asked = payload ? JSON.stringify(payload) : null;
  const query = useQuery(estimateQuery(ofNoDraft, asked, language));
  const estimate = query.data ?? null;
  return { phase: asked === null ? 'none' : estimate ? 'known' : query.isError ? 'failed' : 'loading', estimate };
}
