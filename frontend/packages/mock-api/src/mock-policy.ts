import type { PolicyFigures, PolicyTerm } from '@portage/api';

/** The figures as they are shipped. */
export const mockFigures: PolicyFigures = {
  version: '1',
  deposit: '0.2',
  freeWindow: 24,
  lockWindow: 48,
  changeFee: '0.2',
  afterFree: '0.2',
  afterLock: '1',
  tipDelay: 24,
};

/** What they make true of a move on a day far off. */
export const mockTerms: readonly PolicyTerm[] = [
  'deposit',
  'balance',
  'cancelFree',
  'depositKept',
  'lockRest',
  'changes',
];
