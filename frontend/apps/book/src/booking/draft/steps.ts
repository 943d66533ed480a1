import type { StepState } from '@portage/kit';

import type { Draft } from './draft.ts';
import { ends, placed } from './ends.ts';

export type StepId = 1 | 2 | 3;

export const stepPaths = { 1: '/locations', 2: '/move-type', 3: '/schedule', 4: '/quote' } as const;

/** Step 1 is done when both addresses are there with their coordinates, step 2 with one piece of furniture, step 3 with date and time. */
export function stepDone(draft: Draft, step: StepId): boolean {
  switch (step) {
    case 1:
      return ends.every((end) => placed(draft.ends[end]));
    case 2:
      return draft.selectedFurnitures.some((item) => item.quantity > 0);
    case 3:
      return draft.date !== null && draft.time !== null;
  }
}

export function allDone(draft: Draft): boolean {
  return stepDone(draft, 1) && stepDone(draft, 2) && stepDone(draft, 3);
}

/**
 * States of the three circles. Step 1 is current until complete; a later step is current when the one before is
 * complete and it is not; else incomplete. While a booking is edited every step is current.
 */
export function stepState(draft: Draft, step: StepId): StepState {
  if (draft.editing !== null) return 'current';
  if (stepDone(draft, step)) return 'complete';
  if (step === 1) return 'current';
  return stepDone(draft, (step - 1) as StepId) ? 'current' : 'incomplete';
}

/** The final circle opens the quote only when all three are complete; editing opens everything. */
export function finalOpen(draft: Draft): boolean {
  return draft.editing !== null || allDone(draft);
}

/** In the wizard a step opens when it is current or complete. */
export function canOpen(draft: Draft, step: StepId): boolean {
  return stepState(draft, step) !== 'incomplete';
}

/** On the start page circle 2 opens once step 1 or 2 is done, circle 3 once any step is done. */
export function canOpenFromStart(draft: Draft, step: StepId): boolean {
  if (draft.editing !== null || step === 1) return true;
  if (step === 2) return stepDone(draft, 1) || stepDone(draft, 2);
  return stepDone(draft, 1) || stepDone(draft, 2) || stepDone(draft, 3);
}

/** What a page needs before it makes sense; `null` when it may open, else the path to go to first. */
export function firstMissing(draft: Draft, page: '/move-type' | '/schedule' | '/quote' | '/guidelines'): string | null {
  if (draft.editing !== null) return null;
  if (!stepDone(draft, 1)) return page === '/guidelines' ? '/' : '/locations';
  if (page === '/move-type') return null;
  if (!stepDone(draft, 2)) return page === '/guidelines' ? '/' : '/move-type';
  if (page === '/schedule') return null;
  if (!stepDone(draft, 3)) return page === '/guidelines' ? '/' : '/schedule';
  return null;
}
