import { formatCents, tipCents } from '@portage/domain';

import { useDraft } from '../draft/draft-store.ts';
import { useEstimate } from './estimate-context.tsx';

/** The tip that was typed, as an amount of money for the price on screen; null when it is no amount. */
export function useTypedTip(): string | null {
  const draft = useDraft();
  const { estimate } = useEstimate();
  const cents = estimate ? tipCents(draft.tipType, draft.tipValue, estimate.amount) : 0;
  return cents === null ? null : formatCents(cents);
}

/** The tip as a shown sum counts it: one that cannot be read is not in it, and stops the booking before it is paid. */
export function useTipInSum(): string {
  return useTypedTip() ?? '0.00';
}
