import { type Account, accountHandlers, freshAccount } from '@portage/mock-api';
import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, expect } from 'vitest';

import { renderApp, server, signInForTest, useApp, withDate } from './render-app.tsx';

/** A booking as it was asked for. */
export interface SentBooking {
  key: string | null;
  body: { bookingRequest: Record<string, unknown>; tipRequest?: unknown };
}

/** Somebody signed in, with an account of their own for each test; what they ask to be booked is written down. */
export function usePayment(): { account: Account; sent: SentBooking[] } {
  useApp();
  const account = freshAccount();
  const sent: SentBooking[] = [];
  beforeEach(() => {
    Object.assign(account, freshAccount());
    sent.length = 0;
    server.use(...accountHandlers(account));
    // first in line: writes down what is sent, then lets the real handler answer
    server.use(
      http.post('*/api/bookings', async ({ request }) => {
        sent.push({
          key: request.headers.get('Idempotency-Key'),
          body: (await request.clone().json()) as SentBooking['body'],
        });
      }),
    );
    signInForTest();
  });
  return { account, sent };
}

/** A draft that only has to be paid. */
export const readyToPay = { ...withDate, guidelinesAgreed: true };

export async function openPayment(draft = readyToPay) {
  const app = await renderApp('/payment', { draft });
  await screen.findByRole('heading', { level: 1, name: 'Confirm and pay' });
  await waitFor(() => expect(screen.getByTestId('pay')).toBeEnabled());
  return app;
}

export async function fillCard(user: Awaited<ReturnType<typeof openPayment>>['user']) {
  await user.type(await screen.findByLabelText('Card number'), '4111111111111111');
  await user.type(screen.getByLabelText('Expiry date'), '530');
  await user.type(screen.getByLabelText('Security code'), '123');
  await user.type(screen.getByLabelText('Name on the card'), 'Ana Roy');
}
