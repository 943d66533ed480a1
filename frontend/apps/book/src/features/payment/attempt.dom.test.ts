import { beforeEach, expect, it } from 'vitest';

import { emptyDraft } from '../../booking/draft/draft.ts';
import { bookingBody } from '../../booking/checkout/booking-body.ts';
import { keyOf } from '../../shell/forget.ts';
import { attempts } from './attempt.ts';

const body = (total: string) => bookingBody(emptyDraft(), total);

beforeEach(() => {
  localStorage.clear();
});

it('keeps key and body until an answer settles the try', () => {
  const first = attempts.begin(body('100.00'));
  expect(attempts.unanswered()).toEqual(first);
  // a reload, or another price on screen: the unanswered try comes first, unchanged
  expect(attempts.begin(body('120.00'))).toEqual(first);
});

it('makes a new key after a refusal', () => {
  const first = attempts.begin(body('100.00'));
  attempts.refused(first);
  expect(attempts.unanswered()).toBeNull();
  const second = attempts.begin(body('120.00'));
  expect(second.key).not.toBe(first.key);
  expect(second.body.bookingRequest.expectedTotal).toBe('120.00');
});

it('starts anew when what is stored is damaged', () => {
  localStorage.setItem(keyOf('attempt', null), '{"key":1}');
  expect(attempts.unanswered()).toBeNull();
  localStorage.setItem(keyOf('attempt', null), 'no json');
  expect(attempts.begin(body('1.00')).sent).toBe(true);
});

it('sends a tip with a dot, and none when nothing was given', () => {
  const draft = { ...emptyDraft(), tipValue: '20,50' };
  expect(bookingBody(draft, '1.00')).toMatchObject({ tipRequest: { type: 'amount', value: '20.50' } });
  for (const tipValue of ['', ' ', '0', '0,00'])
    expect(bookingBody({ ...draft, tipValue }, '1.00')).not.toHaveProperty('tipRequest');
});
