import { expect, it } from 'vitest';

import { paymentLook } from './payments.tsx';

it('reads every state of a payment', () => {
  const states = [
    'scheduled',
    'processing',
    'unknown',
    'authorized',
    'captured',
    'settled',
    'soft_declined',
    'hard_declined',
    'failed',
    'voided',
    'expired',
    'skipped',
    'refunded',
    'partially_refunded',
    'charged_back',
  ];
  expect(states.map((state) => paymentLook({ kind: 'deposit', state }))).toEqual([
    'planned',
    'working',
    'working',
    'working',
    'charged',
    'charged',
    'declined',
    'declined',
    'declined',
    'void',
    'void',
    'void',
    'charged',
    'charged',
    'charged',
  ]);
  expect(paymentLook({ kind: 'refund', state: 'captured' })).toBe('refunded');
});
