import type { PaymentPlan, PolicyTerm } from '@portage/api';
import { mockFigures, mockTerms } from '@portage/mock-api';
import { expect, it } from 'vitest';

import { rulesOf } from './rules.ts';

const plan = (mode: PaymentPlan['mode'], kept: string[], terms: readonly PolicyTerm[]): PaymentPlan => ({
  mode,
  charges: [{ kind: mode === 'split' ? 'deposit' : 'full', dueAt: '2027-02-01T20:00:00Z', amount: '114.98' }],
  cancellation: kept.map((amount, index) => ({
    from: `2027-02-0${index + 1}T14:00:00Z`,
    until: index + 1 < kept.length ? `2027-02-0${index + 2}T14:00:00Z` : null,
    untilInclusive: false,
    kept: amount,
  })),
  terms: [...terms],
  policy: mockFigures,
  zone: 'America/Toronto',
});
const keys = (one: PaymentPlan) => rulesOf(one).map((rule) => rule.term);

it('tells all of a split plan, and of its rest once', () => {
  expect(keys(plan('split', ['0.00', '114.98', '574.88'], mockTerms))).toEqual([
    'deposit',
    'cancelFree',
    'depositKept',
    'lockRest',
    'changes',
  ]);
});

it('tells of the rest by itself where not all of it is kept', () => {
  const terms: PolicyTerm[] = ['deposit', 'balance', 'cancelFree', 'depositKept', 'lockShare'];
  expect(keys(plan('split', ['0.00', '114.98', '517.39'], terms))).toEqual(terms);
});

it('gives each rule its own date and amount', () => {
  expect(rulesOf(plan('split', ['0.00', '114.98', '574.88'], mockTerms)).map((rule) => rule.date)).toEqual([
    { kind: 'due', at: '2027-02-01T20:00:00Z', amount: '114.98' },
    { kind: 'until', at: '2027-02-02T14:00:00Z' },
    { kind: 'from', at: '2027-02-02T14:00:00Z', amount: '114.98' },
    { kind: 'from', at: '2027-02-03T14:00:00Z', amount: '574.88' },
    null,
  ]);
  // charged and kept at once: there is no date to wait for
  const atOnce = plan('full_at_once', ['574.88'], ['fullAtOnce', 'lockFull']);
  expect(rulesOf(atOnce).every((rule) => rule.date === null)).toBe(true);
});
