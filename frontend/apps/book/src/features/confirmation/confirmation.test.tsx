import { type Account, accountHandlers, freshAccount, someBooking } from '@portage/mock-api';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

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
  const pass = screen.getByRole('article', { name: 'Booking pass' });
  expect(within(pass).getAllByText('Total with taxes')[0]).toBeVisible();
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

it('is a pass: route, day, window, crew, items, tip, status in words people use', async () => {
  account.bookings = [someBooking()];
  await renderApp('/confirmation?booking=0192-0001');
  const pass = await screen.findByRole('article', { name: 'Booking pass' });
  for (const said of [
    'Portage',
    'PTG4K7',
    '3575 Avenue du Parc',
    '4500 Boulevard Saint-Martin Ouest',
    'Wednesday, February 17, 2027',
    'Start9:00 a.m.',
    '8:30 a.m. to 9:30 a.m.',
    '2 mates',
    '1 item',
    '2 h 30 min',
    'No tip',
    'Confirmed, crew to come',
  ])
    expect(pass).toHaveTextContent(said);
  expect(pass).not.toHaveTextContent('Pending');
  expect(screen.getByRole('button', { name: 'Add to calendar' })).toBeVisible();
  // on paper: what is moved and every line of the price
  expect(screen.getByTestId('paper')).toHaveTextContent('Couch, 3 seats');
  expect(screen.getByTestId('paper')).toHaveTextContent('Crew travel from and to the depot');
});

it('promises no change online where the server would refuse it', async () => {
  account.bookings = [someBooking({ mayEdit: false })];
  await renderApp('/confirmation?booking=0192-0001');
  expect(await screen.findByText(/can no longer be changed online/)).toBeVisible();
  expect(screen.queryByText(/You can change the date/)).toBeNull();
  expect(screen.getByRole('link', { name: 'See the booking' })).toBeVisible();
});

it.each([
  ['link', /By the link in the e-mail we sent to ana@example\.test: the whole amount once, by card\./],
  ['invoice', /By the invoice that you get after the move\./],
  ['onSite', /On the day of the move, to the crew\./],
] as const)('promises no charge by itself when it is paid by %s, and says how it is paid', async (payment, words) => {
  account.bookings = [someBooking({ payment })];
  await renderApp('/confirmation?booking=0192-0001');
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByRole('main')).not.toHaveTextContent(/Deposit of|Balance of|Full amount of/);
  expect(screen.getByRole('main')).toHaveTextContent('Cancel for free');
});

it('has the hour the server promises on the pass and in the calendar file', async () => {
  // no rule of our own would make this of nine o'clock
  account.bookings = [someBooking({ arrivalWindow: { from: '08:10', until: '09:20' } })];
  const saved = vi.fn<(file: Blob) => string>(() => 'blob:calendar');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: saved, revokeObjectURL: () => {} }));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const { user } = await renderApp('/confirmation?booking=0192-0001');
  expect(await screen.findByRole('article', { name: 'Booking pass' })).toHaveTextContent('8:10 a.m. to 9:20 a.m.');
  await user.click(screen.getByRole('button', { name: 'Add to calendar' }));
  const file = (await saved.mock.calls[0]?.[0].text()) ?? '';
  expect(file.replaceAll('\r\n ', '')).toMatch(/8:10.{1,20}9:20/);
  click.mockRestore();
  vi.unstubAllGlobals();
});
