import type { Booking } from '@portage/api';
import { type Account, accountHandlers, freshAccount, problem, someBooking } from '@portage/mock-api';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';

import { renderApp, server, signInForTest, useApp } from '../../test/render-app.tsx';
import { draftStore } from '../draft/draft-store.ts';
import { findOutcomePauses } from './edit-attempt.ts';

useApp();

let account: Account;
let puts: { version: string | null; body: Record<string, unknown> }[];
let looks: number;
/** What happens to a change that arrives, and what is answered. */
let arrives: (edited: Booking) => Response;

beforeEach(() => {
  findOutcomePauses.splice(0, findOutcomePauses.length, 5, 5, 5);
  account = freshAccount();
  account.bookings = [someBooking()];
  puts = [];
  looks = 0;
  server.use(...accountHandlers(account));
  server.use(
    http.get('*/api/c/bookings/:id', () => {
      looks += 1;
    }),
    http.post('*/api/c/bookings/:id/preview', () =>
      HttpResponse.json({
        oldTotal: '447.25',
        newTotal: '500.00',
        changeFee: '0.00',
        chargeNow: '52.75',
        refundNow: '0.00',
        paymentPlan: someBooking().paymentPlan,
        booking: someBooking({ total: '500.00' }),
      }),
    ),
    http.put('*/api/c/bookings/:id', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      puts.push({ version: request.headers.get('If-Match'), body });
      const was = account.bookings[0]!;
      return arrives({ ...was, version: was.version + 1, total: '500.00', comments: String(body['comments']) });
    }),
  );
  signInForTest();
});

async function save(comments = 'third door') {
  const app = await renderApp('/quote?edit=0192-0001');
  await app.user.type(await screen.findByRole('textbox', { name: /Comments for the crew/ }), comments);
  const review = screen.getByRole('button', { name: 'Review the change' });
  await waitFor(() => expect(review).toBeEnabled());
  await app.user.click(review);
  const dialog = await screen.findByRole('dialog', { name: 'Save this change?' });
  await app.user.click(await within(dialog).findByRole('button', { name: 'Save' }));
  return { ...app, dialog: within(dialog) };
}

it('finds out by itself that a change was saved whose answer got lost', async () => {
  arrives = (edited) => {
    account.bookings = [edited];
    return HttpResponse.error();
  };
  const { router } = await save();
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/bookings/0192-0001'));
  expect(screen.queryByText('Failed to save changes.')).toBeNull();
  expect(puts).toHaveLength(1);
  await waitFor(() => expect(draftStore.get().editing).toBeNull());
  expect(Object.keys(localStorage).filter((key) => key.startsWith('portage.editAttempt'))).toEqual([]);
});

it('sends a change once that is pressed twice at once', async () => {
  arrives = (edited) => {
    account.bookings = [edited];
    return HttpResponse.json(edited);
  };
  const { router, user } = await renderApp('/quote?edit=0192-0001');
  await user.type(await screen.findByRole('textbox', { name: /Comments for the crew/ }), 'third door');
  await user.click(await review());
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this change?' }));
  const button = await dialog.findByRole('button', { name: 'Save' });
  // both before anything is drawn again
  act(() => {
    button.click();
    button.click();
  });
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/bookings/0192-0001'));
  expect(puts).toHaveLength(1);
});

it('never invites to a second charge while nobody knows, also after a reload', async () => {
  arrives = () => problem(503, 'payment_unavailable', '');
  const { user, dialog, unmount } = await save();
  expect(await dialog.findByText(/^So far your booking is as it was/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(dialog.queryByText('Failed to save changes.')).toBeNull();
  const before = looks;
  await user.click(dialog.getByRole('button', { name: 'Look again' }));
  await waitFor(() => expect(looks).toBeGreaterThan(before));
  unmount();
  const again = await renderApp('/quote');
  const review = await screen.findByRole('button', { name: 'Review the change' });
  await waitFor(() => expect(review).toBeEnabled());
  await again.user.click(review);
  expect(await screen.findByText(/^So far your booking is as it was/)).toBeVisible();
  // it was saved after all, only late
  account.bookings = [someBooking({ version: 2, total: '500.00', comments: 'third door' })];
  await again.user.click(screen.getByRole('button', { name: 'Look again' }));
  await waitFor(() => expect(again.router.state.location.pathname).toBe('/profile/bookings/0192-0001'));
  expect(puts).toHaveLength(1);
});

it('says that the booking was changed meanwhile, but not to this', async () => {
  arrives = () => {
    account.bookings = [someBooking({ version: 2, comments: 'somebody else' })];
    return HttpResponse.error();
  };
  const { dialog } = await save();
  expect(await dialog.findByText(/^Your booking was changed meanwhile, but not by this/)).toBeVisible();
  expect(dialog.getByRole('link', { name: 'See your booking' })).toHaveAttribute('href', '/profile/bookings/0192-0001');
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull();
});

it('passes on that another payment of the booking is being worked on, and lets it be tried again', async () => {
  const words = 'A payment for this booking is being worked on. Try again in a minute; nothing was charged twice.';
  arrives = vi.fn(() => problem(409, 'payment_in_flight', words));
  const { user, dialog, router } = await save();
  expect(await dialog.findByText(words)).toBeVisible();
  expect(dialog.queryByText('Failed to save changes.')).toBeNull();
  arrives = (edited) => {
    account.bookings = [edited];
    return HttpResponse.json(edited);
  };
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/bookings/0192-0001'));
});

it('does not call a saved change failed because what comes after it broke', async () => {
  arrives = (edited) => {
    account.bookings = [edited];
    return HttpResponse.json(edited);
  };
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken = vi.spyOn(draftStore, 'endEdit').mockImplementationOnce(() => {
    throw new TypeError('broken');
  });
  const { router } = await save();
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/bookings/0192-0001'));
  await waitFor(() => expect(broken).toHaveBeenCalled());
  expect(screen.queryByText('Failed to save changes.')).toBeNull();
});

it('says that the booking was cancelled meanwhile, and lists no charges', async () => {
  arrives = () => {
    account.bookings = [someBooking({ status: 'cancelled', version: 2, cancelledAt: '2027-02-03T15:00:00Z' })];
    return problem(409, 'edit_closed', 'This booking can no longer be changed online. Please contact us.');
  };
  const { user, router } = await save();
  const dialog = within(await screen.findByRole('dialog', { name: 'This booking is cancelled' }));
  expect(dialog.getByText('Your change was not saved, and nothing was charged for it.')).toBeVisible();
  expect(dialog.queryByText(/can no longer be changed online|Charges after the change|Total after/)).toBeNull();
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull();
  await user.click(dialog.getByRole('link', { name: 'See your booking' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/bookings/0192-0001'));
  expect(draftStore.get().editing).toBeNull();
});

it('offers no other try where the time to change it ran out meanwhile', async () => {
  server.use(
    http.post('*/api/c/bookings/:id/preview', () =>
      problem(409, 'edit_closed', 'This booking can no longer be changed online. Please contact us.'),
    ),
  );
  const { user } = await renderApp('/quote?edit=0192-0001');
  await screen.findByRole('button', { name: 'Review the change' });
  draftStore.patch({ comments: 'Two cats' });
  await user.click(await review());
  const dialog = within(await screen.findByRole('dialog', { name: 'This booking can no longer be changed online' }));
  expect(dialog.getByText(/Within 48 hours of the move/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(dialog.getByRole('link', { name: /514-555-0100/ })).toBeVisible();
  expect(dialog.getByRole('link', { name: 'See your booking' })).toBeVisible();
});

async function review() {
  const button = screen.getByRole('button', { name: 'Review the change' });
  await waitFor(() => expect(button).toBeEnabled());
  return button;
}

it('says that nothing was changed, and asks the server nothing', async () => {
  let previews = 0;
  server.use(
    http.post('*/api/c/bookings/:id/preview', () => {
      previews += 1;
    }),
  );
  const { user, router } = await renderApp('/quote?edit=0192-0001');
  await screen.findByRole('textbox', { name: /Comments for the crew/ });
  await user.click(await review());
  const dialog = within(await screen.findByRole('dialog', { name: 'Nothing has been changed yet' }));
  expect(previews).toBe(0);
  await user.click(dialog.getByRole('link', { name: 'See your booking' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/bookings/0192-0001'));
  await waitFor(() => expect(draftStore.get().editing).toBeNull());
});

it('shows the tip as it is, and saves a changed one without touching the rest', async () => {
  account.bookings = [
    someBooking({
      tip: { id: 'tip-1', version: 3, type: 'percent', value: '10', amount: '38.90', isPaid: false },
    } as Partial<Booking>),
  ];
  const tips: { id: string; body: unknown }[] = [];
  server.use(
    http.put('*/api/tip/:id', async ({ request, params }) => {
      tips.push({ id: String(params['id']), body: await request.json() });
      return HttpResponse.json({});
    }),
  );
  const { user, router } = await renderApp('/quote?edit=0192-0001');
  expect(await screen.findByRole('button', { name: '10%' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByRole('button', { name: '15%' }));
  await user.click(await review());
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this change?' }));
  expect(dialog.getByText('Tip before').nextSibling).toHaveTextContent('10% of the price before tax');
  expect(dialog.getByText('Tip after').nextSibling).toHaveTextContent('15% of the price before tax');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/bookings/0192-0001'));
  expect(tips).toEqual([{ id: 'tip-1', body: { type: 'percent', value: '15' } }]);
  expect(puts).toEqual([]);
});

it('says what becomes of a tip nobody touched: a share follows the price, an amount stays', async () => {
  account.bookings = [
    someBooking({
      tip: {
        id: 'tip-1',
        bookingId: '0192-0001',
        version: 3,
        type: 'percent',
        value: '10',
        amount: '38.90',
        isPaid: false,
      },
    }),
  ];
  arrives = (edited) => HttpResponse.json(edited);
  server.use(
    http.post('*/api/c/bookings/:id/preview', () =>
      HttpResponse.json({
        oldTotal: '447.25',
        newTotal: '500.00',
        changeFee: '0.00',
        chargeNow: '52.75',
        refundNow: '0.00',
        paymentPlan: someBooking().paymentPlan,
        booking: someBooking({ amount: '434.90', total: '500.00' }),
      }),
    ),
  );
  const { user } = await renderApp('/quote?edit=0192-0001');
  await user.type(await screen.findByRole('textbox', { name: /Comments for the crew/ }), 'third door');
  const review = screen.getByRole('button', { name: 'Review the change' });
  await waitFor(() => expect(review).toBeEnabled());
  await user.click(review);
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this change?' }));
  expect(await dialog.findByText('Tip before')).toBeVisible();
  expect(dialog.getByText('Tip before').nextSibling).toHaveTextContent('$38.90');
  expect(dialog.getByText('Tip after').nextSibling).toHaveTextContent('$43.49');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
});

it('saves a new tip with the change of the move, as one', async () => {
  arrives = (edited) => {
    account.bookings = [edited];
    return HttpResponse.json(edited);
  };
  let tips = 0;
  server.use(
    http.put('*/api/tip/:id', () => {
      tips += 1;
      return HttpResponse.json({});
    }),
  );
  const { user, router } = await renderApp('/quote?edit=0192-0001');
  await user.type(await screen.findByRole('textbox', { name: /Comments for the crew/ }), 'third door');
  await user.click(screen.getByRole('button', { name: '15%' }));
  await user.click(await review());
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this change?' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/bookings/0192-0001'));
  expect(puts.map(({ body }) => body)).toMatchObject([
    { comments: 'third door', tipRequest: { type: 'percent', value: '15' } },
  ]);
  expect(tips).toBe(0);
});

it('says when the tip alone could not be saved', async () => {
  server.use(http.put('*/api/tip/:id', () => problem(409, 'tip_paid', 'Charged already.')));
  const { user } = await renderApp('/quote?edit=0192-0001');
  await user.click(await screen.findByRole('button', { name: '15%' }));
  await user.click(await review());
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this change?' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('dialog', { name: 'The tip could not be saved' })).toBeVisible();
  expect(puts).toEqual([]);
});

it.each([
  ['/locations', 'Pickup'],
  ['/move-type', 'Items'],
] as const)('a row’s Change to %s leads back to the quote', async (path, row) => {
  const { user, router } = await renderApp('/quote?edit=0192-0001');
  await user.click(await screen.findByRole('link', { name: `Change: ${row}` }));
  await waitFor(() => expect(router.state.location.pathname).toBe(path));
  await user.click(await screen.findByRole('button', { name: 'Back to the quote' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/quote'));
});

it('lists every answer that is another one now, old and new, before it is saved, and says afterwards that it is', async () => {
  account.bookings = [
    someBooking({ mateCount: 2, items: [{ id: 'couch-3-seats', quantity: 1 }], comments: 'ring twice' }),
  ];
  arrives = (edited) => {
    account.bookings = [edited];
    return HttpResponse.json(edited);
  };
  const { user } = await renderApp('/quote?edit=0192-0001');
  await screen.findByRole('textbox', { name: /Comments for the crew/ });
  const { pickup } = draftStore.get().ends;
  draftStore.patch({
    mateCount: 3,
    rideAlong: true,
    date: '2027-02-20',
    comments: 'ring once',
    selectedFurnitures: [
      { id: 'couch-3-seats', quantity: 2 },
      { id: 'fridge', quantity: 1 },
    ],
    ends: { ...draftStore.get().ends, pickup: { ...pickup, unit: '7', elevator: 1, floor: 4 } },
  });
  await user.click(await review());
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this change?' }));
  const row = (name: string) => dialog.getByText(name, { selector: 'dt' }).parentElement;
  expect(row('Who comes')).toHaveTextContent(/Before:\s*2 mates\s*After:\s*3 mates.*you ride along/);
  expect(row('Date and start')).toHaveTextContent(/Before:.*February 17.*After:.*February 20/);
  expect(row('Items')).toHaveTextContent(/Before:\s*1 item\s*After:\s*3 items/);
  expect(row('Items')).toHaveTextContent(/: 1 → 2.*: 0 → 1/);
  expect(row('Pickup')).toHaveTextContent(/After:\s*7-/);
  expect(row('Getting in and out at the pickup')).toHaveTextContent(
    /Before:\s*Floor 2 · 1 elevator.*After:\s*Floor 4 · 1 elevator/,
  );
  expect(row('Comments for the crew')).toHaveTextContent(/Before:\s*ring twice\s*After:\s*ring once/);
  expect(dialog.queryByText('Dropoff', { selector: 'dt' })).toBeNull();
  expect(row('Change of price')).toHaveTextContent('$52.75 more');
  expect(row('Charged with this change')).toHaveTextContent('$52.75');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  const saved = await screen.findByText('Your change is saved');
  await waitFor(() => expect(document.activeElement).toContainElement(saved));
  expect(screen.getByText('We sent you an e-mail that lists what is different now.')).toBeVisible();
});

it('shows the old and the new hour where only that is another one', async () => {
  const { user } = await renderApp('/quote?edit=0192-0001');
  await screen.findByRole('textbox', { name: /Comments for the crew/ });
  draftStore.patch({ time: '13:30' });
  await user.click(await review());
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this change?' }));
  expect(dialog.getByText('Date and start', { selector: 'dt' }).parentElement).toHaveTextContent(
    /Before:.*February 17.*9:00.a\.m\..*After:.*February 17.*1:30.p\.m\./,
  );
});

it('says that saving charges nothing where it does not', async () => {
  arrives = (edited) => HttpResponse.json(edited);
  const { dialog } = await (async () => {
    server.use(
      http.post('*/api/c/bookings/:id/preview', () =>
        HttpResponse.json({
          oldTotal: '447.25',
          newTotal: '400.00',
          changeFee: '0.00',
          chargeNow: '0.00',
          refundNow: '0.00',
          paymentPlan: someBooking().paymentPlan,
          booking: someBooking({ total: '400.00' }),
        }),
      ),
    );
    const { user } = await renderApp('/quote?edit=0192-0001');
    await user.type(await screen.findByRole('textbox', { name: /Comments for the crew/ }), 'third door');
    await user.click(await review());
    return { dialog: within(await screen.findByRole('dialog', { name: 'Save this change?' })) };
  })();
  expect(dialog.getByText('Change of price').nextSibling).toHaveTextContent('$47.25 less');
  expect(dialog.getByText('Nothing is charged when you save.')).toBeVisible();
});

it('says that the changed move has lost its discount code', async () => {
  account.bookings = [someBooking({ discountCode: 'WINTERHALF' })];
  arrives = (edited) => HttpResponse.json(edited);
  const { user } = await renderApp('/quote?edit=0192-0001');
  await user.type(await screen.findByRole('textbox', { name: /Comments for the crew/ }), 'third door');
  await user.click(await review());
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this change?' }));
  expect(await dialog.findByText(/Your code WINTERHALF does not apply to the changed move/)).toBeVisible();
});
