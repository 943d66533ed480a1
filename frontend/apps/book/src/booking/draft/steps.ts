import type { StepState } from '@portage/kit';

import { areaVerdict } from './address.ts';
import type { Draft } from './draft.ts';
import { ends, placed } from './ends.ts';

export type StepId = 1 | 2 | 3;

/**
 * The pages of the booking in their order; all that depends on the order is read from here, and so is every count of
 * steps. The three with a `step` are the numbered circles: step 1 is done when both addresses are there with their
 * coordinates, and we go there, step 2 with one piece of furniture, step 3 with date and time. The pages marked `last` are the fourth step,
 * the circle with the check.
 */
const table = [
  { path: '/' },
  {
    path: '/locations',
    step: 1,
    done: (draft: Draft) => ends.every((end) => placed(draft.ends[end])) && areaVerdict(draft.ends) !== 'refused',
  },
  {
    path: '/move-type',
    step: 2,
    done: (draft: Draft) => draft.selectedFurnitures.some((item) => item.quantity > 0),
  },
  { path: '/schedule', step: 3, done: (draft: Draft) => draft.date !== null && draft.time !== null },
  { path: '/quote', last: true },
  // the specification sends whoever opens it without a finished draft to the start page
  { path: '/guidelines', last: true, without: '/', done: (draft: Draft) => draft.guidelinesAgreed },
  { path: '/payment', last: true },
] as const;

export type WizardPath = (typeof table)[number]['path'];
const steps = table.filter((page) => 'step' in page);

export const wizardPaths: readonly WizardPath[] = table.map(({ path }) => path);
export const stepIds: readonly StepId[] = steps.map(({ step }) => step);
export const stepPaths = Object.fromEntries(steps.map(({ step, path }) => [step, path])) as Record<
  StepId,
  (typeof steps)[number]['path']
>;

/** Whether it is a page of the last step, which begins with the quote and ends with the booking. */
export function isLastStep(path: string): boolean {
  return table.some((page) => page.path === path && 'last' in page);
}

/** Which of how many steps a page belongs to, as the stepper draws them: the numbered ones and the last. */
export function stepOf(path: Exclude<WizardPath, '/'>): { n: number; of: number } {
  const of = steps.length + 1;
  return { n: steps.find((page) => page.path === path)?.step ?? of, of };
}

export function pageBefore(path: string): WizardPath {
  return wizardPaths[(wizardPaths as readonly string[]).indexOf(path) - 1] ?? '/';
}

export function pageAfter(path: string): WizardPath | undefined {
  return wizardPaths[(wizardPaths as readonly string[]).indexOf(path) + 1];
}

export function stepDone(draft: Draft, id: StepId): boolean {
  return steps.some(({ step, done }) => step === id && done(draft));
}

export function allDone(draft: Draft): boolean {
  return steps.every(({ done }) => done(draft));
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

/** Whether the stepper leads to a page: a booking that is made already is changed on the quote, and not paid for again. */
export function canOpenPage(draft: Draft, path: string): boolean {
  const step = stepIds.find((id) => stepPaths[id] === path);
  if (step) return canOpen(draft, step);
  if (path === '/quote') return finalOpen(draft);
  return draft.editing === null && firstMissing(draft, path as WizardPath) === null;
}

/** On the start page circle 2 opens once step 1 or 2 is done, circle 3 once any step is done. */
export function canOpenFromStart(draft: Draft, step: StepId): boolean {
  return draft.editing !== null || step === 1 || stepIds.some((id) => id <= step && stepDone(draft, id));
}

/** What a page needs before it makes sense; `null` when it may open, else the path to go to first. */
export function firstMissing(draft: Draft, path: WizardPath): WizardPath | null {
  if (draft.editing !== null) return null;
  const at = wizardPaths.indexOf(path);
  const missing = table.slice(0, at).find((page) => 'done' in page && !page.done(draft));
  if (!missing) return null;
  const page = table[at];
  return page && 'without' in page ? page.without : missing.path;
}
