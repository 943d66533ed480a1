import type { ApiProblem } from '@portage/api';

import { slotLost } from '../draft/draft.ts';
import { draftStore } from '../draft/draft-store.ts';

/**
 * Answers after which asking for the same start again is of no use: somebody else has it, or the calendar has moved on
 * since the draft was kept. Any other refusal is not about the start.
 */
const lostCodes = new Set(['slot_gone', 'date_past', 'date_closed', 'too_soon', 'too_far_ahead', 'not_a_slot']);

export function isStartLost(problem: ApiProblem): boolean {
  return lostCodes.has(problem.code);
}

/**
 * Takes a refused start out of the draft and keeps everything else, with the server's reason for the schedule page.
 * Says whether the refusal was about the start at all.
 */
export function loseStart(problem: ApiProblem, start: { date: string; time: string } | null): boolean {
  if (!isStartLost(problem)) return false;
  const change = slotLost(draftStore.get());
  const lost = start ? { date: start.date, time: start.time } : change.lostSlot;
  const reason = problem.code === 'slot_gone' ? {} : { reason: problem.detail };
  draftStore.patch({ ...change, lostSlot: lost ? { ...lost, ...reason } : null });
  return true;
}
