import { problem, someBooking } from '@portage/mock-api';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { bookingBody } from '../../booking/checkout/booking-body.ts';
import { emptyDraft } from '../../booking/draft/draft.ts';
import { server, useApp } from '../../test/render-app.tsx';
import { attempts } from './attempt.ts';
import { book } from './pay.ts';

useApp();

const body = bookingBody(emptyDraft(), '100.00');
const pauses = { silent: [5, 5], working: [5, 5, 5, 5, 5] };
let keys: string[] = [];
let answers: (() => Response)[] = [];

beforeEach(() => {
  keys = [];
  server.use(
    http.post('*/api/bookings', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key') ?? '');
      return (answers.shift() ?? (() => HttpResponse.json(someBooking(), { status: 201 })))();
    }),
  );
});

const working = () => problem(409, 'request_in_flight', 'Still working.');
const paying = () => problem(409, 'payment_in_flight', 'A payment is being worked on.');

describe('a first press that is still worked on', () => {
  it('is asked about with its own key until it is done, and somebody is told', async () => {
    answers = [() => HttpResponse.error(), working, working, paying, working];
    const onWorking = vi.fn();
    const attempt = attempts.begin(body);
    await expect(book(attempt, { pauses, onWorking })).resolves.toMatchObject({ shortId: 'PTG4K7' });
    expect(keys).toEqual(Array.from({ length: 6 }, () => attempt.key));
    expect(onWorking).toHaveBeenCalled();
    expect(attempts.unanswered()).toBeNull();
  });

  it('stays the one try there is when patience ends before it', async () => {
    answers = Array.from({ length: 20 }, () => working);
    const attempt = attempts.begin(body);
    await expect(book(attempt, { pauses })).rejects.toMatchObject({ code: 'request_in_flight' });
    expect(attempts.begin(bookingBody(emptyDraft(), '120.00')).key).toBe(attempt.key);
  });

  it('is waited for over some minutes, with growing pauses', async () => {
    const { working: standard } = (await import('./pay.ts')).standardPauses;
    expect(standard.every((pause, index) => index === 0 || pause >= (standard[index - 1] ?? 0))).toBe(true);
    const total = standard.reduce((sum, pause) => sum + pause, 0);
    expect(total).toBeGreaterThanOrEqual(120_000);
    expect(total).toBeLessThanOrEqual(300_000);
  });
});

it.each([
  ['the session ended meanwhile', () => problem(401, 'unauthenticated', '')],
  ['there are too many calls', () => problem(429, 'too_many_requests', '')],
])('keeps the key of a try whose first answer was lost although %s', async (_, said) => {
  answers = [() => HttpResponse.error(), said];
  const attempt = attempts.begin(body);
  await expect(book(attempt, { pauses })).rejects.toMatchObject({ name: 'ApiProblem' });
  // another price on screen after signing in again: still the first try, for nobody knows how it ended
  expect(attempts.unanswered()?.key).toBe(attempt.key);
  expect(attempts.begin(bookingBody(emptyDraft(), '120.00')).key).toBe(attempt.key);
  answers = [said];
  await expect(book(attempts.begin(body), { pauses, repeated: true })).rejects.toMatchObject({ name: 'ApiProblem' });
  expect(attempts.unanswered()?.key).toBe(attempt.key);
});

it('gives a try up that was not looked at', async () => {
  answers = [() => problem(401, 'unauthenticated', '')];
  await expect(book(attempts.begin(body), { pauses })).rejects.toMatchObject({ status: 401 });
  expect(attempts.unanswered()).toBeNull();
});
