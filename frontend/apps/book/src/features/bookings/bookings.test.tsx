import { type Account, accountHandlers, freshAccount, problem, someBooking } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';

import { calls, renderApp, server, signInForTest, useApp } from '../../test/render-app.tsx';

useApp();

let account: Account;

beforeEach(() => {
  account = freshAccount();
  server.use(...accountHandlers(account));
  signInForTest();
});

it('says so when there is no booking yet', async () => {
  await renderApp('/profile/bookings');
  expect(await screen.findByText('Upps! You have no previous bookings.')).toBeVisible();
});

it.each(['/profile/bookings', '/profile'])('says in %s that the address is to be confirmed first', async (path) => {
  const words = /ana@example\.test is not confirmed yet\. Open the link in the message/;
  signInForTest('user-1', { email_verified: false });
  const { unmount } = await renderApp(path);
  expect(await screen.findByText(words)).toBeVisible();
  const main = within(screen.getByRole('main'));
  expect(main.getAllByRole('link', { name: 'Settings' })[0]).toHaveAttribute('href', '/profile/settings');
  unmount();
  signInForTest('user-1', { email_verified: true });
  await renderApp(path);
  expect(await screen.findByText(/You have no previous bookings|No move is planned/)).toBeVisible();
  expect(screen.queryByText(words)).toBeNull();
});

it('shows five a page, with the page in the address', async () => {
  account.bookings = Array.from({ length: 7 }, (_, n) => someBooking({ id: `b${n}`, shortId: `PT000${n}` }));
  const { user, router } = await renderApp('/profile/bookings');
  expect(await screen.findByText(/PT0000/)).toBeVisible();
  expect(screen.getAllByText(/PT000\d/)).toHaveLength(5);
  await user.click(screen.getByRole('link', { name: 'Older' }));
  expect(await screen.findByText(/PT0006/)).toBeVisible();
  expect(router.state.location.search).toEqual({ page: 2 });
  // shown, and a moment later said aloud
  expect(screen.getAllByText('Page 2 of 2')[0]).toBeVisible();
});

it('shows a booking with what was charged and what is planned', async () => {
  account.bookings = [someBooking()];
  await renderApp('/profile/bookings/0192-0001');
  expect(await screen.findByRole('heading', { level: 1, name: 'Booking PTG4K7' })).toBeVisible();
  expect(screen.getByText(/charged on February 2, 2027/)).toHaveTextContent('card ending in 1111');
  expect(screen.getByText(/planned for February 15, 2027/)).toBeVisible();
  expect(screen.getByText('Confirmed, crew to come')).toBeVisible();
  expect(document.body).not.toHaveTextContent('14.975');
});

it('promises no charge by itself for a booking that is paid by invoice', async () => {
  account.bookings = [someBooking({ payment: 'invoice' })];
  await renderApp('/profile/bookings/0192-0001');
  expect(await screen.findByText(/By the invoice that you get after the move\./)).toBeVisible();
  expect(screen.queryByText(/planned for/)).toBeNull();
  expect(screen.queryByText(/Balance of/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add a tip' })).toBeNull();
});

it('tells a stranger’s booking from a failure', async () => {
  const { unmount } = await renderApp('/profile/bookings/other');
  expect(await screen.findByRole('heading', { name: 'We have no such booking' })).toBeVisible();
  unmount();
  server.use(http.get('*/api/c/bookings/:id', () => problem(503, 'busy', '')));
  await renderApp('/profile/bookings/broken');
  expect(await screen.findByText('Failed to load page.', {}, { timeout: 8000 })).toBeVisible();
});

it('says to whoever comes by the letter of a booking that their address is not confirmed yet', async () => {
  signInForTest('user-1', { email_verified: false });
  await renderApp('/profile/bookings/other');
  expect(await screen.findByRole('heading', { name: 'We have no such booking' })).toBeVisible();
  expect(screen.getByText(/ana@example\.test is not confirmed yet\. Open the link in the message/)).toBeVisible();
});

it('names the consequence before it cancels', async () => {
  account.bookings = [someBooking()];
  const { user } = await renderApp('/profile/bookings/0192-0001');
  await user.click(await screen.findByRole('button', { name: 'Cancel this booking' }));
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' });
  expect(await within(dialog).findByText('The deposit of $89.45 will be kept.')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Keep the booking' }));
  expect(calls.some((call) => call.path.includes('/cancel/'))).toBe(false);
  expect(account.bookings[0]?.status).toBe('pending');
  await user.click(screen.getByRole('button', { name: 'Cancel this booking' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Cancel this booking?' })).getByRole('button', {
      name: 'Cancel the booking',
    }),
  );
  expect(await screen.findByText('Cancelled')).toBeVisible();
  expect(screen.getByText(/\$89\.45 was kept\./)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Cancel this booking' })).toBeNull();
});

it('says what is owed for a cancelled booking, and not that it goes back', async () => {
  const cancelled = { status: 'cancelled' as const, cancelledAt: '2027-02-03T15:00:00Z', kept: '75.88' };
  account.bookings = [someBooking({ ...cancelled, refunded: '0.00', stillOwed: '20.00' })];
  await renderApp('/profile/bookings/0192-0001');
  expect(await screen.findByText(/The cancellation costs \$75\.88\. \$20\.00 is still owed\./)).toBeVisible();
  expect(screen.queryByText(/goes back the way you paid/)).toBeNull();
});

it('says that a charge was declined and where another card is added, and not that a fee was kept', async () => {
  const fee = {
    ...card,
    id: 'p1',
    kind: 'cancellation_fee' as const,
    state: 'soft_declined' as const,
    amount: '75.88',
    dueAt: '2027-02-03T15:00:00Z',
  };
  const cancelled = { status: 'cancelled' as const, cancelledAt: '2027-02-03T15:00:00Z', kept: '75.88' };
  account.bookings = [someBooking({ ...cancelled, refunded: '0.00', netPaid: '0.00', payments: [fee] })];
  await renderApp('/profile/bookings/0192-0001');
  expect(await screen.findByText(/The cancellation costs \$75\.88\./)).toBeVisible();
  expect(screen.queryByText(/was kept/)).toBeNull();
  expect(screen.getByText(/A charge of \$75\.88 was declined/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Add another card' })).toHaveAttribute('href', '/profile/settings');
});

it('asks for no other card because of a tip or a refund', async () => {
  const of = (kind: 'tip' | 'refund', id: string) => ({
    ...card,
    id,
    kind,
    state: 'failed' as const,
    amount: '20.00',
    dueAt: '2027-02-03T15:00:00Z',
  });
  account.bookings = [someBooking({ payments: [of('tip', 'p1'), of('refund', 'p2')] })];
  await renderApp('/profile/bookings/0192-0001');
  expect(await screen.findByRole('list', { name: 'Payments' })).toBeVisible();
  expect(screen.queryByText(/was declined\. It is tried/)).toBeNull();
});

it('says before the move that something is owed which no card is charged for', async () => {
  account.bookings = [someBooking({ stillOwed: '30.00' })];
  server.use(
    http.get('*/api/c/bookings/:id/cancellation', () =>
      HttpResponse.json({
        at: '2027-02-03T15:00:00Z',
        kept: '89.45',
        refunded: '0.00',
        refundNow: '0.00',
        toCharge: '0.00',
        owed: '30.00',
        rule: 'deposit',
      }),
    ),
  );
  const { user } = await renderApp('/profile/bookings/0192-0001');
  expect(await screen.findByText(/\$30\.00 is still to be paid/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cancel this booking' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this booking?' }));
  expect(await dialog.findByText('Cancelling costs $89.45.')).toBeVisible();
  expect(dialog.getByText('Kept').nextElementSibling).toHaveTextContent('$59.45');
  expect(dialog.getByText('Still to be paid, by a link that we send you').nextElementSibling).toHaveTextContent(
    '$30.00',
  );
});

const card = { method: 'card' as const, cardLast4: '1111', message: null };

it('tells a charge that went back by its own instant, and the refund by its own', async () => {
  account.bookings = [
    someBooking({
      netPaid: '0.00',
      payments: [
        {
          ...card,
          id: 'p1',
          kind: 'deposit',
          state: 'refunded',
          amount: '89.45',
          dueAt: '2027-02-02T15:00:00Z',
          settledAt: '2027-02-02T15:01:00Z',
        },
        {
          ...card,
          id: 'p2',
          kind: 'refund',
          state: 'captured',
          amount: '89.45',
          dueAt: '2027-02-04T15:00:00Z',
          settledAt: '2027-02-04T16:30:00Z',
        },
      ],
    }),
  ];
  await renderApp('/profile/bookings/0192-0001');
  const list = within(await screen.findByRole('list', { name: 'Payments' }));
  const lines = () => list.getAllByRole('listitem').map((one) => one.textContent?.replaceAll('\u00A0', ' '));
  expect(lines()[0]).toMatch(/^Deposit of \$89\.45charged on February 2, 2027, 10:01 a\.m\./);
  expect(lines()[1]).toMatch(/^Refund of \$89\.45sent back to your card on February 4, 2027, 11:30 a\.m\./);
});

it('says of a payment that was written down by mistake that it was taken out, and not that it was handed back', async () => {
  const cash = { method: 'cash' as const, amount: '89.45', dueAt: '2027-02-02T15:00:00Z' };
  account.bookings = [
    someBooking({
      payments: [
        {
          ...cash,
          id: 'p1',
          kind: 'difference',
          state: 'refunded',
          settledAt: '2027-02-02T15:01:00Z',
          neverCame: true,
        },
        { ...cash, id: 'p2', kind: 'refund', state: 'settled', settledAt: '2027-02-04T16:30:00Z', neverCame: true },
      ],
    }),
  ];
  await renderApp('/profile/bookings/0192-0001');
  expect(await screen.findByText(/^written down by mistake, and taken out on February 4, 2027/)).toBeVisible();
  expect(screen.getAllByText('$89.45 in cash')).toHaveLength(1);
  expect(screen.queryByText(/^received on/)).toBeNull();
  expect(screen.queryByText(/handed back to you/)).toBeNull();
});

it('says that the bank gave a disputed charge back, and what that leaves to pay', async () => {
  const booking = someBooking();
  account.bookings = [
    someBooking({
      netPaid: '-100.00',
      stillOwed: '447.25',
      paymentPlan: {
        ...booking.paymentPlan,
        mode: 'merged',
        charges: [{ kind: 'full', dueAt: '2027-02-02T15:00:00Z', amount: '447.25' }],
        cancellation: [{ from: '2027-02-02T15:00:00Z', until: null, untilInclusive: false, kept: '347.25' }],
      },
      payments: [
        {
          ...card,
          id: 'p1',
          kind: 'full',
          state: 'charged_back',
          amount: '447.25',
          dueAt: '2027-02-02T15:00:00Z',
          settledAt: '2027-02-02T15:01:00Z',
        },
        {
          ...card,
          id: 'p2',
          kind: 'refund',
          state: 'settled',
          byBank: true,
          amount: '447.25',
          dueAt: '2027-02-05T15:00:00Z',
          settledAt: '2027-02-05T15:00:00Z',
        },
      ],
    }),
  ];
  server.use(
    http.get('*/api/c/bookings/:id/cancellation', () =>
      HttpResponse.json({
        at: '2027-02-06T15:00:00Z',
        kept: '347.25',
        refunded: '0.00',
        refundNow: '0.00',
        toCharge: '0.00',
        owed: '447.25',
        rule: 'full',
      }),
    ),
  );
  const { user } = await renderApp('/profile/bookings/0192-0001');
  expect(await screen.findByText('Paid so far: $0.00')).toBeVisible();
  expect(screen.getByText('Still to be paid: $447.25')).toBeVisible();
  expect(screen.getByText(/^given back by your bank on February 5, 2027/)).toBeVisible();
  expect(screen.queryByText(/sent back to your card/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Cancel this booking' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this booking?' }));
  expect(await dialog.findByText('Cancelling costs $347.25.')).toBeVisible();
  expect(dialog.queryByText('Kept')).toBeNull();
  expect(dialog.queryByText(/will be kept/)).toBeNull();
});

it('sends a tip with a dot for its comma, and refuses what is no amount', async () => {
  account.bookings = [someBooking()];
  let sent: unknown = null;
  server.use(
    http.put('*/api/tip/:id', async ({ request, params }) => {
      sent = { id: params['id'], body: await request.json() };
      return HttpResponse.json({
        id: 't1',
        bookingId: '0192-0001',
        type: 'amount',
        value: '20.50',
        amount: '20.50',
        isPaid: false,
        version: 1,
      });
    }),
  );
  const { user } = await renderApp('/profile/bookings/0192-0001');
  await user.click(await screen.findByRole('button', { name: 'Add a tip' }));
  const field = screen.getByRole('textbox', { name: 'Dollars' });
  await user.type(field, 'a lot');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The tip must be an amount in dollars.')).toBeVisible();
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.type(field, '20,50');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual({ id: '0192-0001', body: { type: 'amount', value: '20.50' } }));
});

it('says that there is no tip after it was set to nothing, and that it was saved', async () => {
  const tip = { id: 't1', bookingId: '0192-0001', type: 'amount' as const, isPaid: false };
  account.bookings = [someBooking({ tip: { ...tip, value: '20.00', amount: '20.00', version: 1 } })];
  server.use(
    http.put('*/api/tip/:id', () => {
      const none = { ...tip, value: '0.00', amount: '0.00', version: 2 };
      account.bookings = [someBooking({ tip: none })];
      return HttpResponse.json(none);
    }),
  );
  const { user } = await renderApp('/profile/bookings/0192-0001');
  const change = await screen.findByRole('button', { name: 'Change the tip' });
  await user.click(change);
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Dollars' })).toHaveFocus());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Change the tip' })).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Change the tip' }));
  const field = screen.getByRole('textbox', { name: 'Dollars' });
  await user.clear(field);
  await user.type(field, '0');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const section = await screen.findByRole('region', { name: 'Tip for the crew' });
  expect(await within(section).findByText('Your tip was taken back')).toBeVisible();
  expect(within(section).getByText('No tip')).toBeVisible();
  expect(within(section).getByRole('button', { name: 'Add a tip' })).toBeVisible();
  expect(document.body).not.toHaveTextContent('$0.00 ·');
});

it('gives the contract along while the move is to take place, and says when it did not come', async () => {
  const names: string[] = [];
  URL.createObjectURL = () => 'blob:file';
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  account.bookings = [someBooking()];
  server.use(http.get('*/api/c/bookings/:id/contract', () => problem(503, 'busy', '')));
  const { user } = await renderApp('/profile/bookings/0192-0001');
  const documents = within(await screen.findByRole('region', { name: 'My documents' }));
  await user.click(documents.getByRole('button', { name: 'Contract of the move' }));
  expect(await documents.findByText('The document could not be downloaded')).toBeVisible();
  expect(names).toEqual([]);
  server.use(
    http.get(
      '*/api/c/bookings/:id/contract',
      () => new HttpResponse('%PDF-', { headers: { 'Content-Type': 'application/pdf' } }),
    ),
  );
  await user.click(documents.getByRole('button', { name: 'Contract of the move' }));
  await waitFor(() => expect(names).toEqual(['0192-0001-contract.pdf']));
  let language = '';
  server.use(
    http.get('*/api/c/bookings/:id/statement/file', ({ request }) => {
      language = request.headers.get('accept-language') ?? '';
      return new HttpResponse('%PDF-', { headers: { 'Content-Type': 'application/pdf' } });
    }),
  );
  await user.click(documents.getByRole('button', { name: 'Statement of account' }));
  await waitFor(() => expect(names).toEqual(['0192-0001-contract.pdf', '0192-0001-statement.pdf']));
  // it is written in the language of the page
  expect(language).toMatch(/^en/);
});

it('gives no contract of a move that was cancelled', async () => {
  account.bookings = [someBooking({ status: 'cancelled' })];
  await renderApp('/profile/bookings/0192-0001');
  expect(await screen.findByRole('heading', { level: 1, name: 'Booking PTG4K7' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Contract of the move' })).toBeNull();
});
