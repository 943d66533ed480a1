import { type Account, accountHandlers, freshAccount, someBooking } from '@portage/mock-api';
import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';

import { renderApp, server, signInForTest, useApp } from '../../test/render-app.tsx';

useApp();

let account: Account;

beforeEach(() => {
  account = freshAccount();
  server.use(...accountHandlers(account));
  signInForTest();
});

it('shows what was booked, with its total', async () => {
  account.bookings = [someBooking()];
  await renderApp('/confirmation?booking=0192-0001');
  expect(await screen.findByRole('heading', { level: 1, name: 'Your move is booked' })).toBeVisible();
  expect(screen.getByText('Total with taxes')).toBeVisible();
  expect(screen.getByTestId('total')).toHaveTextContent('$447.25');
});

it.each(['cancelled', 'deleted'] as const)('promises nothing of a %s booking, and leads to it', async (status) => {
  account.bookings = [someBooking({ status })];
  await renderApp('/confirmation?booking=0192-0001');
  expect(await screen.findByRole('heading', { level: 1, name: 'This booking is cancelled' })).toBeVisible();
  expect(screen.getByRole('main')).toHaveTextContent('PTG4K7');
  expect(screen.getByRole('main')).not.toHaveTextContent(/confirmed|Cancellation is free|on its way/);
  expect(screen.getByRole('link', { name: 'See the booking' })).toHaveAttribute('href', '/profile/bookings/0192-0001');
});
