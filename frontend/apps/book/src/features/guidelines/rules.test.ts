import type { PaymentPlan } from '@portage/api';
import { expect, it } from 'vitest';

import { rulesOf } from './rules.ts';

const plan = (mode: PaymentPlan['mode'], kept: string[]): PaymentPlan => ({
  mode,
  charges: [{ kind: mode === 'split' ? 'deposit' : 'full', dueAt: '2027-02-01T20:00:00Z', amount: '114.98' }],
  cancellation: kept.map((amount, index) => ({
    from: `2027-02-0${index + 1}T14:00:00Z`,
    until: index + 1 < kept.length ? `2027-02-0${index + 2}T14:00:00Z` : null,
    untilInclusive: false,
    kept: amount,
  })),
  zone: 'America/Toronto',
});
const keys = (one: PaymentPlan) => rulesOf(one).map((rule) => rule.key);

it('tells all of a split plan', () => {
  expect(keys(plan('split', ['0.00', '114.98', '574.88']))).toEqual([
    'domain:rule.deposit',
    'guidelines:guideline.cancelFree',
    'guidelines:guideline.cancelAfter24',
    'guidelines:guideline.within48',
    'guidelines:guideline.changes',
  ]);
});

it('speaks of no deposit where everything is charged two days before', () => {
  expect(keys(plan('merged', ['0.00', '574.88']))).toEqual([
    'domain:rule.merged',
    'guidelines:guideline.cancelFree',
    'guidelines:guideline.within48Full',
    'guidelines:guideline.changes',
  ]);
});

it('promises no free cancellation to a move within 48 hours', () => {
  expect(keys(plan('full_at_once', ['574.88']))).toEqual([
    'domain:rule.fullAtOnce',
    'guidelines:guideline.within48Full',
    'guidelines:guideline.changes',
  ]);
});

it('gives each rule its own date and amount', () => {
  expect(rulesOf(plan('split', ['0.00', '114.98', '574.88'])).map((rule) => rule.date)).toEqual([
    { kind: 'due', at: '2027-02-01T20:00:00Z', amount: '114.98' },
    { kind: 'until', at: '2027-02-02T14:00:00Z' },
    { kind: 'from', at: '2027-02-02T14:00:00Z', amount: '114.98' },
    { kind: 'from', at: '2027-02-03T14:00:00Z', amount: '574.88' },
    null,
  ]);
  // charged and kept at once: there is no date to wait for
  expect(rulesOf(plan('full_at_once', ['574.88'])).every((rule) => rule.date === null)).toBe(true);
});
