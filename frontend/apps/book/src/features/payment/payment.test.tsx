import { paymentPlan, problem } from '@portage/mock-api';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';

import { bookingBody } from '../../booking/checkout/booking-body.ts';
import { draftStore, storageKey } from '../../booking/draft/draft-store.ts';
import { emptyDraft } from '../../booking/draft/draft.ts';
import { knownEstimate } from '../../booking/estimate/estimate-query.ts';
import { calls, renderApp, server, withDate } from '../../test/render-app.tsx';
import { fillCard, openPayment, readyToPay, usePayment } from '../../test/payment-world.tsx';
import { attempts } from './attempt.ts';

const signIn = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('../../shell/session.ts', async (original) => ({ ...(await original<object>()), signIn }));

const { account, sent } = usePayment();

const withCard = () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
};

it('asks a guest to sign in, in the words of the specification', async () => {
  const { setSessionForTest } = await import('../../shell/session.ts');
  setSessionForTest(null);
  await renderApp('/payment', { draft: readyToPay });
  await screen.findByRole('heading', { name: 'You will need to login to continue with this page.' });
  const page = within(screen.getByRole('main'));
  expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/');
  expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
});

it('has the card first, and the dates beside the button', async () => {
  await openPayment();
  await screen.findByLabelText('Card number');
  const titles = within(screen.getByRole('main')).getAllByRole('heading', { level: 2 });
  expect(titles.map((title) => title.textContent)).toEqual(['Card', 'What is charged, and when', 'Your order']);
  const order = within(screen.getByRole('region', { name: 'Your order' }));
  expect(order.getByTestId('total')).toBeVisible();
  expect(order.getByTestId('pay')).toBeVisible();
});

it('leads a new customer from the question to an account, and back to this page', async () => {
  const { setSessionForTest } = await import('../../shell/session.ts');
  setSessionForTest(null);
  const { user } = await renderApp('/payment', { draft: readyToPay });
  const page = within(await screen.findByRole('main'));
  await user.click(await page.findByRole('button', { name: 'Create account' }));
  expect(signIn).toHaveBeenCalledExactlyOnceWith(undefined, 'signup');
});

it('says that the tip cannot be read, instead of booking without it', async () => {
  await renderApp('/payment', { draft: { ...readyToPay, tipValue: 'a lot' } });
  await screen.findByRole('heading', { level: 1, name: 'Confirm and pay' });
  expect(await screen.findByText('The tip must be an amount in dollars.')).toBeVisible();
  await waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh'));
  expect(screen.getByTestId('pay')).toBeDisabled();
  expect(screen.getByRole('link', { name: 'Quote' })).toHaveAttribute('href', '/quote');
});

it('books with a new card: one customer, one booking, the price on screen, and the draft is gone', async () => {
  const { user, router } = await openPayment({ ...readyToPay, tipValue: '20,50' });
  await fillCard(user);
  expect(screen.getByLabelText('Card number')).toHaveValue('4111 1111 1111 1111');
  expect(screen.getByLabelText('Expiry date')).toHaveValue('05/30');
  const total = knownEstimate(draftStore.generation)?.total;
  expect(total).toBeTruthy();
  await user.dblClick(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(router.state.location.pathname).toBe('/confirmation');
  expect(screen.getByTestId('short-id')).toHaveTextContent('PTG4K7');
  expect(sent).toHaveLength(1);
  expect(sent[0]?.key).toBeTruthy();
  expect(sent[0]?.body.bookingRequest).toMatchObject({
    expectedTotal: total,
    guidelinesAgreed: true,
    date: '2027-02-17',
    time: '09:00',
  });
  expect(sent[0]?.body.tipRequest).toEqual({ type: 'amount', value: '20.50' });
  expect(account.profile.wallet.card?.last4).toBe('1111');
  expect(draftStore.get().ends.pickup.place).toBeNull();
  expect(attempts.unanswered()).toBeNull();
});

it('pays with the stored card, or another one', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  const { user } = await openPayment();
  expect(screen.getByRole('radio', { name: /Visa ending in 4242/ })).toBeChecked();
  expect(screen.queryByLabelText('Card number')).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'Use another card' }));
  expect(await screen.findByLabelText('Card number')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: /Visa ending in 4242/ }));
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(calls.some((call) => call.path.startsWith('/api/payment/card'))).toBe(false);
});

it('asks again when the price has changed, and then sends the new one', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  account.bookingAnswers.push(() => problem(409, 'price_changed', 'The price has changed.', { total: '500.00' }));
  const { user } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  expect(await screen.findByText('The price is now $500.00')).toBeVisible();
  expect(screen.getByTestId('total')).toHaveTextContent('$500.00');
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(sent.map((one) => one.body.bookingRequest['expectedTotal'])[1]).toBe('500.00');
  expect(sent[0]?.key).not.toBe(sent[1]?.key);
});

it('books under no rules but those agreed to: where they have changed, they are read again', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  account.bookingAnswers.push(() => problem(409, 'terms_changed', 'The rules have changed.', { policyVersion: '1.1' }));
  const { user, router } = await openPayment({ ...readyToPay, agreedPolicy: '1' });
  server.use(
    http.post<never, { total: string; moveAt: string }>('*/api/booking/payment-plan', async ({ request }) => {
      const { total, moveAt } = await request.json();
      const plan = paymentPlan(total, moveAt, new Date().toISOString());
      return HttpResponse.json({ ...plan, policy: { ...plan.policy, version: '1.1', freeWindow: 6 } });
    }),
  );
  await user.click(screen.getByTestId('pay'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/guidelines'));
  expect(await screen.findByText(/^These rules have changed since you agreed to them\./)).toBeVisible();
  expect(screen.getByText(/within 6 hours of booking/)).toBeVisible();
  const agree = screen.getByRole('checkbox', { name: 'I have read and agree to these guidelines' });
  expect(agree).not.toBeChecked();
  await user.click(agree);
  expect(screen.queryByText(/^These rules have changed/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Continue to payment' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/payment'));
  await waitFor(() => expect(screen.getByTestId('pay')).toBeEnabled());
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(sent.map((one) => one.body.bookingRequest['policyVersion'])).toEqual(['1', '1.1']);
});

it.each([
  [409, 'slot_gone', 'The time you are booking is not available anymore. Please schedule another time.'],
  [422, 'date_past', 'This date or time has already passed. Please choose a later one.'],
  [422, 'too_soon', 'This is too soon to send a crew. Please choose a later time, or contact us.'],
])('goes back to the schedule when booking answers %i %s, with everything else kept', async (status, code, detail) => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  account.bookingAnswers.push(() => problem(status, code, detail));
  const { user, router } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/schedule'));
  expect(await screen.findByText(detail)).toBeVisible();
  expect(draftStore.get()).toMatchObject({ time: null, selectedFurnitures: withDate.selectedFurnitures });
});

it('leads back to the schedule before any card is asked for when the kept date has passed', async () => {
  server.use(http.post('*/api/holds', () => problem(422, 'date_past', 'This date or time has already passed.')));
  const { router } = await renderApp('/payment', { draft: readyToPay });
  await waitFor(() => expect(router.state.location.pathname).toBe('/schedule'));
  expect(await screen.findByText('This date or time has already passed.')).toBeVisible();
});

it('after a lost connection sends the very same try again, also after a reload, and books once', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  account.bookingAnswers.push(
    () => HttpResponse.error(),
    () => HttpResponse.error(),
    () => HttpResponse.error(),
  );
  const { user, unmount } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'We do not know yet whether your booking was made' }, { timeout: 8000 });
  unmount();
  const again = await renderApp('/payment');
  await again.user.click(await screen.findByRole('button', { name: 'Find out' }));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(sent).toHaveLength(4);
  expect(new Set(sent.map((one) => one.key)).size).toBe(1);
  expect(new Set(sent.map((one) => JSON.stringify(one.body))).size).toBe(1);
  expect(account.bookings).toHaveLength(1);
});

it('leaves the open question in a browser whose scrollTo answers a promise', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => Promise.resolve() as never);
  attempts.begin(bookingBody({ ...emptyDraft(), ...readyToPay }, '100.00'));
  account.bookingAnswers.push(() => problem(402, 'payment_declined', 'Your card was declined.'));
  const { user } = await renderApp('/payment', { draft: readyToPay });
  await user.click(await screen.findByRole('button', { name: 'Find out' }));
  expect(await screen.findByText('Sorry! Booking has failed.')).toBeVisible();
  expect(scroll).toHaveBeenCalled();
  expect(screen.queryByText('Failed to load page.')).toBeNull();
  scroll.mockRestore();
});

describe('an open question and a newer draft', () => {
  const sentMove = { ...emptyDraft(), ...readyToPay };
  const newer = { ...readyToPay, date: '2027-03-03', startsAt: '2027-03-03T14:00:00Z', comments: 'another move' };

  it('names the move that was sent, and keeps the other one when it turns out to be booked', async () => {
    withCard();
    attempts.begin(bookingBody(sentMove, '447.25'));
    const { user } = await renderApp('/payment', { draft: newer });
    expect(await screen.findByTestId('sent-move')).toHaveTextContent(
      'The move that was sent: Wednesday, February 17, 2027, 9:00 a.m., $447.25 with taxes.',
    );
    await user.click(screen.getByRole('button', { name: 'Find out' }));
    await screen.findByRole('heading', { name: 'Your move is booked' });
    expect(draftStore.get()).toMatchObject({ date: '2027-03-03', comments: 'another move' });
  });

  it('empties the draft that was booked although its hold and the language are others by now', async () => {
    withCard();
    attempts.begin(bookingBody(sentMove, '447.25'));
    const hold = { id: 'hold-9', endsAt: 0, offset: 0, startsAt: readyToPay.startsAt ?? '', minutes: 15, covers: '' };
    await renderApp('/payment', { draft: { ...readyToPay, hold }, language: 'fr' });
    fireEvent.click(await screen.findByRole('button', { name: 'Vérifier' }));
    await waitFor(() => expect(draftStore.get().ends.pickup.place).toBeNull());
  });

  it('is warned of before starting over', async () => {
    attempts.begin(bookingBody(sentMove, '447.25'));
    const { user } = await renderApp('/', { draft: newer });
    await user.click(await screen.findByRole('button', { name: 'Start over' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Start over?' }));
    expect(await dialog.findByText(/A booking was sent and no answer came/)).toBeVisible();
    expect(dialog.getByRole('link', { name: 'Find out' })).toHaveAttribute('href', '/payment');
  });
});

it('says that it is confirmed already when one comes back after paying', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  const { user, router } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  router.history.back();
  await screen.findByRole('heading', { name: 'This booking is already confirmed' });
  expect(screen.queryByTestId('pay')).toBeNull();
});

it('says that it is confirmed already when another tab has paid meanwhile, and sends nothing', async () => {
  await openPayment();
  // what the other tab's writes look like from here, in their order
  const elsewhere = async (key: string, newValue: string | null) =>
    act(() => {
      dispatchEvent(new StorageEvent('storage', { key, newValue }));
    });
  await elsewhere('portage.booked', JSON.stringify({ id: '0192-0009', shortId: 'PTOTHR', owner: 'user-1' }));
  await elsewhere(storageKey, null);
  await screen.findByRole('heading', { name: 'This booking is already confirmed' });
  expect(screen.getByText(/PTOTHR/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See your booking' })).toHaveAttribute(
    'href',
    '/confirmation?booking=0192-0009',
  );
  expect(sent).toHaveLength(0);
});

it('tells the other tabs which booking was made, and leaves no trace of it for the next person', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  const told = vi.spyOn(Storage.prototype, 'setItem');
  const { user } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(told).toHaveBeenCalledWith(
    'portage.booked',
    JSON.stringify({ id: '0192-1', shortId: 'PTG4K7', owner: 'user-1' }),
  );
  expect(localStorage.getItem('portage.booked')).toBeNull();
  told.mockRestore();
});

it('says that the form is not finished, signed in or not', async () => {
  const { setSessionForTest } = await import('../../shell/session.ts');
  setSessionForTest(null);
  const { router } = await renderApp('/payment', { draft: { ...readyToPay, time: null } });
  await waitFor(() => expect(router.state.location.pathname).toBe('/schedule'));
  await waitFor(() => expect(screen.getByText('You have not finished filling the form.')).toBeVisible());
});

it('says that the payment service does not answer when that is what keeps happening', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  const silent = () => problem(503, 'payment_unavailable', '');
  account.bookingAnswers.push(silent, silent, silent);
  const { user } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'We do not know yet whether your booking was made' }, { timeout: 8000 });
  expect(screen.getByRole('alert')).toHaveTextContent(
    'The payment service did not answer in time. Try again: you cannot be charged twice.',
  );
  expect(screen.getByRole('alert')).toHaveTextContent('req-1');
  expect(document.body).not.toHaveTextContent('The connection broke');
  expect(document.body).not.toHaveTextContent('Something went wrong');
});

it('leads to what is missing first', async () => {
  const { router } = await renderApp('/payment', { draft: withDate });
  await waitFor(() => expect(router.state.location.pathname).toBe('/guidelines'));
});

it('says calmly that the first press is still worked on, and asks again with its key', async () => {
  withCard();
  const working = () => problem(409, 'request_in_flight', 'Still working.');
  account.bookingAnswers.push(working, working);
  const { user } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  expect(await screen.findByText(/Your booking is still being worked on/)).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(new Set(sent.map((one) => one.key)).size).toBe(1);
  expect(sent).toHaveLength(3);
});

it('passes on what the server says of too many cards, and when to come back', async () => {
  account.cardAnswers.push(() =>
    HttpResponse.json(
      { status: 429, code: 'too_many_cards', detail: 'Too many cards were tried. Please wait before the next one.' },
      { status: 429, headers: { 'Retry-After': '840', 'Content-Type': 'application/problem+json' } },
    ),
  );
  const { user } = await openPayment();
  await fillCard(user);
  await user.click(screen.getByTestId('pay'));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Too many cards were tried. Please wait before the next one.');
  expect(alert).toHaveTextContent('You can try again in 14 minutes.');
  expect(sent).toHaveLength(0);
});

it('leads to the address that contradicts itself, with the reason at its field', async () => {
  withCard();
  const message = 'This point is not at this address.';
  account.bookingAnswers.push(() =>
    problem(422, 'validation_failed', 'Some answers need another look.', {
      errors: [{ field: 'bookingRequest.dropoff.postalCode', code: 'contradicts', message }],
    }),
  );
  const { user, router } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(message);
  await user.click(within(alert).getByRole('link', { name: 'Correct the dropoff address' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/locations'));
  const dropoff = within(await screen.findByRole('region', { name: 'Dropoff' }));
  expect(dropoff.getByText(message)).toBeVisible();
  expect(within(screen.getByRole('region', { name: 'Pickup' })).queryByText(message)).toBeNull();
  expect(draftStore.get()).toMatchObject({ selectedFurnitures: withDate.selectedFurnitures });
});

/** Keeps the confirmation from coming until `go` is called, as a slow line does. */
function slowConfirmation(router: Awaited<ReturnType<typeof renderApp>>['router']) {
  let go = () => {};
  const held = new Promise<void>((done) => (go = done));
  const navigate = router.navigate;
  const asked = vi.spyOn(router, 'navigate').mockImplementation((async (to: Parameters<typeof navigate>[0]) => {
    await held;
    return navigate(to);
  }) as typeof navigate);
  return { asked, go: () => go() };
}

describe('who has pressed the button', () => {
  it('keeps the focus on it until an answer, and stays on the page until the confirmation comes', async () => {
    withCard();
    let answer = () => {};
    const held = new Promise<void>((done) => (answer = done));
    server.use(
      http.post('*/api/bookings', async () => {
        await held;
      }),
    );
    const { user, router } = await openPayment();
    const { asked, go } = slowConfirmation(router);
    const said = new Set<string>();
    const note = () => {
      said.add(document.querySelector('main h1')?.textContent ?? 'none');
      said.add(document.title);
    };
    const observer = new MutationObserver(note);
    observer.observe(document, { childList: true, subtree: true, characterData: true });

    const pay = screen.getByTestId('pay');
    await user.click(pay);
    await waitFor(() => expect(pay).toHaveAttribute('aria-disabled', 'true'));
    // a browser takes the focus from a button that is switched off
    expect(pay).not.toHaveAttribute('disabled');
    expect(pay).toHaveFocus();
    await user.click(pay);

    answer();
    await waitFor(() => expect(asked).toHaveBeenCalled());
    await waitFor(() => expect(draftStore.get().ends.pickup.place).toBeNull());
    expect(screen.getByRole('heading', { level: 1, name: 'Confirm and pay' })).toBeVisible();
    expect(screen.getByTestId('total')).toHaveTextContent('$');
    expect(pay).toBeInTheDocument();
    expect(pay).toHaveFocus();
    expect(pay).not.toHaveAttribute('disabled');
    observer.disconnect();
    note();
    expect([...said].join(' | ')).not.toMatch(/already confirmed|none/);

    go();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Your move is booked' })).toHaveFocus());
    expect(sent).toHaveLength(1);
  });

  it('has the focus on it although Enter was pressed in a field that goes when the card is stored', async () => {
    const { user, router } = await openPayment();
    const { asked, go } = slowConfirmation(router);
    await fillCard(user);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(asked).toHaveBeenCalled());
    expect(screen.getByTestId('pay')).toHaveFocus();
    go();
    await screen.findByRole('heading', { name: 'Your move is booked' });
  });

  it('is told that it is booked where the confirmation does not come', async () => {
    withCard();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user, router } = await openPayment();
    vi.spyOn(router, 'navigate').mockRejectedValueOnce(new Error('broken'));
    await user.click(screen.getByTestId('pay'));
    await screen.findByRole('heading', { name: 'This booking is already confirmed' });
    expect(screen.getByRole('link', { name: 'See your booking' })).toBeVisible();
    vi.restoreAllMocks();
  });

  it('keeps it on the question after a booking without an answer', async () => {
    withCard();
    attempts.begin(bookingBody({ ...emptyDraft(), ...readyToPay }, '447.25'));
    const { user, router } = await renderApp('/payment', { draft: readyToPay });
    const find = await screen.findByRole('button', { name: 'Find out' });
    const { asked, go } = slowConfirmation(router);
    await user.click(find);
    await waitFor(() => expect(asked).toHaveBeenCalled());
    expect(find).toHaveFocus();
    expect(find).not.toHaveAttribute('disabled');
    expect(screen.queryByText('This booking is already confirmed')).toBeNull();
    go();
    await screen.findByRole('heading', { name: 'Your move is booked' });
  });
});
