import {
  type Account,
  accountHandlers,
  braintreeStandIn,
  freshAccount,
  mockConfig,
  problem,
  type StandIn,
} from '@portage/mock-api';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { calls, renderApp, server, signInForTest, useApp, withDate } from './render-app.tsx';

useApp();

let gateway: StandIn;
let account: Account;
let nonces: unknown[];

beforeEach(() => {
  gateway = braintreeStandIn();
  account = freshAccount();
  nonces = [];
  server.use(...accountHandlers(account));
  server.use(
    http.get('*/api/config', () => HttpResponse.json({ ...mockConfig, payments: { provider: 'braintree' } })),
    http.post('*/api/payment/client', () => HttpResponse.json({ clientToken: 'token' })),
    http.post('*/api/payment', async ({ request }) => {
      nonces.push(((await request.clone().json()) as { paymentNonce: string }).paymentNonce);
    }),
  );
  signInForTest();
});
afterEach(() => gateway.stop());

const ready = { ...withDate, guidelinesAgreed: true };
const frames = () => document.querySelectorAll('main iframe').length;
const mounted = () => waitFor(() => expect(frames()).toBe(4));
const trouble = async () =>
  within((await screen.findByText('The card fields could not be loaded.')).closest('[data-tone]') as HTMLElement);

async function open() {
  const app = await renderApp('/payment', { draft: ready });
  await waitFor(() => expect(screen.getByTestId('pay')).toBeEnabled());
  return app;
}

it('is not asked of the gateway before the payment step', async () => {
  const { router } = await renderApp('/guidelines', { draft: ready });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh'));
  expect(gateway.added).toEqual([]);
  await act(() => router.navigate({ to: '/payment' }));
  await mounted();
  expect(gateway.added).toHaveLength(2);
});

it('pays with what the gateway’s fields hold, and takes them down once when it leaves', async () => {
  const { user } = await open();
  await mounted();
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(nonces).toEqual(['hosted-nonce']);
  await waitFor(() => expect(gateway.teardowns).toBe(1));
  expect(gateway.alive).toBe(0);
});

it.each([
  ['the script does not arrive', () => gateway.scripts.push('fail', 'load')],
  ['the script arrives empty', () => gateway.scripts.push('empty', 'load')],
  ['the fields cannot be made', () => gateway.mounts.push('fail')],
  ['the fields are made half', () => gateway.mounts.push('half')],
  [
    'our own server gives no token',
    () => server.use(http.post('*/api/payment/client', () => problem(503, 'payment_unavailable', ''), { once: true })),
  ],
])('says that it cannot load and what to do when %s, and trying again works', async (_, breaks) => {
  breaks();
  const { user } = await open();
  const notice = await trouble();
  expect(notice.getByText(/Turn off ad or script blockers for this page/)).toBeVisible();
  expect(notice.getByRole('link', { name: 'Write to help@portage.test' })).toBeVisible();
  const before = gateway.added.length;
  await user.click(notice.getByRole('button', { name: 'Try again' }));
  await mounted();
  expect(screen.queryByText('The card fields could not be loaded.')).toBeNull();
  // what failed to arrive is asked for by a new element
  if (gateway.added.length > before) expect(new Set(gateway.added).size).toBe(gateway.added.length);
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(nonces).toEqual(['hosted-nonce']);
});

it('adds a new script element for a script that did not arrive', async () => {
  gateway.scripts.push('fail', 'fail');
  const { user } = await open();
  await user.click((await trouble()).getByRole('button', { name: 'Try again' }));
  await mounted();
  const sources = gateway.added.map((script) => script.src);
  expect(sources).toHaveLength(4);
  expect(new Set(sources).size).toBe(2);
});

it('shows the trouble again when pressed without fields, instead of doing nothing', async () => {
  gateway.mounts.push('fail');
  const { user } = await open();
  await trouble();
  await user.click(screen.getByTestId('pay'));
  await waitFor(() =>
    expect(screen.getByText('The card fields could not be loaded.').closest('[tabindex="-1"]')).toHaveFocus(),
  );
  expect(calls.some((call) => call.path === '/api/bookings')).toBe(false);
});

it('says what is wrong with a refused card and keeps the fields; a broken line is told as one', async () => {
  gateway.tokens.push('invalid', 'network');
  const { user } = await open();
  await mounted();
  await user.click(screen.getByTestId('pay'));
  expect(await screen.findByRole('alert')).toHaveTextContent('Check the card number');
  expect(frames()).toBe(4);
  await user.click(screen.getByTestId('pay'));
  expect(await screen.findByText(/We could not reach the server/)).toBeVisible();
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(gateway.teardowns).toBe(1);
});

it('asks the fields for another nonce after a try whose answer got lost', async () => {
  account.cardAnswers.push(() => problem(503, 'payment_unavailable', ''));
  const { user } = await open();
  await mounted();
  await user.click(screen.getByTestId('pay'));
  expect(await screen.findByRole('alert')).toHaveTextContent('The payment service did not answer in time.');
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(nonces).toEqual(['hosted-nonce', 'hosted-nonce-2']);
});
