import { accountHandlers, freshAccount, someBooking } from '@portage/mock-api';
import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { bookingBody } from '../../booking/checkout/booking-body.ts';
import { lastBooking } from '../../booking/checkout/last-booking.ts';
import { draftStore } from '../../booking/draft/draft-store.ts';
import { emptyDraft } from '../../booking/draft/draft.ts';
import { editAttempts, newEditAttempt } from '../../booking/edit/edit-attempt.ts';
import { forgetPerson } from '../../shell/forget.ts';
import { setSessionForTest } from '../../shell/session.ts';
import { renderApp, server, signInForTest, useApp, withDate } from '../../test/render-app.tsx';
import { attempts } from './attempt.ts';
import { book } from './pay.ts';

useApp();

const theirs = { ...withDate, guidelinesAgreed: true, comments: 'door 4711' };
let sent: (string | null)[] = [];
/** Without an answer of its own the stand-in server books. */
let answer: () => Response | undefined;

beforeEach(() => {
  sent = [];
  answer = () => HttpResponse.error();
  const account = freshAccount();
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  server.use(
    http.post('*/api/bookings', ({ request }) => {
      sent.push(request.headers.get('Idempotency-Key'));
      return answer();
    }),
    ...accountHandlers(account),
  );
});

/** A sends a booking, no answer comes, and the session runs out. */
async function leftByA() {
  signInForTest('a');
  draftStore.reset(theirs);
  const attempt = attempts.begin(bookingBody(draftStore.get(), '447.25'));
  await expect(book(attempt, { pauses: { silent: [], working: [] } })).rejects.toMatchObject({ status: 0 });
  setSessionForTest(null);
  sent = [];
  return attempt;
}

it('shows and sends nothing of the person before, who finds the own try again', async () => {
  const { key } = await leftByA();
  const { router, unmount } = await renderApp('/payment');
  await screen.findByRole('heading', { name: 'You will need to login to continue with this page.' });
  act(() => signInForTest('b'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/locations'));
  expect(screen.queryByTestId('sent-move')).toBeNull();
  expect(JSON.stringify(draftStore.get())).not.toContain('4711');
  expect(localStorage.getItem('portage.draft.2') ?? '').not.toContain('4711');
  expect(sent).toEqual([]);
  unmount();

  act(() => setSessionForTest(null));
  act(() => signInForTest('a'));
  answer = () => undefined;
  const { user } = await renderApp('/payment');
  expect(await screen.findByTestId('sent-move')).toHaveTextContent('$447.25');
  await user.click(screen.getByRole('button', { name: 'Find out' }));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(sent).toEqual([key]);
  expect(attempts.unanswered()).toBeNull();
});

it('lets the next person book a move of their own, with a key of its own', async () => {
  const { key } = await leftByA();
  signInForTest('b');
  answer = () => HttpResponse.json(someBooking(), { status: 201 });
  const own = attempts.begin(bookingBody({ ...emptyDraft(), comments: 'mine' }, '100.00'));
  expect(own.body.bookingRequest.comments).toBe('mine');
  await book(own);
  expect(own.key).not.toBe(key);
  signInForTest('a');
  expect(attempts.unanswered()?.key).toBe(key);
});

it('stops asking about a try as soon as somebody else has signed in', async () => {
  signInForTest('a');
  const attempt = attempts.begin(bookingBody({ ...emptyDraft(), ...theirs }, '447.25'));
  answer = () => {
    signInForTest('b');
    return HttpResponse.error();
  };
  await expect(book(attempt, { pauses: { silent: [1, 1], working: [] } })).rejects.toMatchObject({ status: 401 });
  expect(sent).toHaveLength(1);
  signInForTest('a');
  // nobody knows how the first sending ended
  expect(attempts.unanswered()?.key).toBe(attempt.key);
});

it('keeps a try through the sign-out of somebody else, and not through that of its owner', async () => {
  await leftByA();
  forgetPerson('b');
  signInForTest('a');
  expect(attempts.unanswered()).not.toBeNull();
  forgetPerson('a');
  expect(JSON.stringify(Object.entries(localStorage))).not.toContain('4711');
});

it('keeps a change without an answer, and the booking made last, from the next person', () => {
  signInForTest('a');
  editAttempts.keep(newEditAttempt('b-1', 1, { comments: 'door 4711' }, '447.25', Date.now()));
  lastBooking.remember({ id: 'b-9', shortId: 'PT4711' });
  signInForTest('b');
  expect(editAttempts.of('b-1')).toBeNull();
  expect(lastBooking.read()).toBeNull();
  editAttempts.settled();
  signInForTest('a');
  expect(editAttempts.of('b-1')).not.toBeNull();
  expect(lastBooking.read()?.shortId).toBe('PT4711');
});
