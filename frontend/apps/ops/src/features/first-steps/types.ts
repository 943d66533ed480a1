import type { FirstStep, FirstSteps } from '@portage/api';

/** What a new company does, in the order that it makes sense in. */
export const stepCodes = ['company', 'prices', 'calendar', 'people', 'testBooking'] as const;
export type StepCode = (typeof stepCodes)[number];

export interface Step {
  code: StepCode;
  done: boolean;
}

/** Where each of them is done. */
export const stepPages: Record<StepCode, string> = {
  company: '/settings',
  prices: '/rates',
  calendar: '/calendar',
  people: '/mates',
  testBooking: '/bookings/new',
};

/** Those that are an administrator's: the settings, and the word that the prices are right. */
export const forAdministrators: ReadonlySet<StepCode> = new Set(['company', 'prices']);

/** The steps that this page has words for, in its order. */
export function stepsOf({ steps }: FirstSteps): Step[] {
  // the list of bookings shows them too, and must not fall over an answer that makes no sense
  const told: FirstStep[] = Array.isArray(steps) ? steps : [];
  return stepCodes.flatMap((code) => {
    const found = told.find((step) => step.code === code);
    return found ? [{ code, done: found.done }] : [];
  });
}
