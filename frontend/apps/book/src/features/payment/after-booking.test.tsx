import { type Account, accountHandlers, freshAccount } from '@portage/mock-api';
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

import { draftStore } from '../../booking/draft/draft-store.ts';
import { chatAfterBooking } from '../../shell/chat/chat-session.ts';
import { renderApp, server, signInForTest, useApp, withDate } from '../../test/render-app.tsx';

vi.mock('../../shell/chat/chat-session.ts', () => ({ chatAfterBooking: vi.fn(), openChat: vi.fn() }));

useApp();

let account: Account;
beforeEach(() => {
  vi.restoreAllMocks();
  account = freshAccount();
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  server.use(...accountHandlers(account));
  signInForTest();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

const broken = () => {
  throw new TypeError('broken');
};

it.each([
  ['the chat widget', () => vi.mocked(chatAfterBooking).mockImplementation(broken)],
  ['clearing the draft', () => vi.spyOn(draftStore, 'reset').mockImplementationOnce(broken)],
])('says that the move is booked although %s broke after it', async (_, breaks) => {
  const { user } = await renderApp('/payment', { draft: { ...withDate, guidelinesAgreed: true } });
  const pay = await screen.findByTestId('pay');
  await vi.waitFor(() => expect(pay).toBeEnabled(), { timeout: 10_000 });
  breaks();
  await user.click(pay);
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(document.body).not.toHaveTextContent('Nothing was booked');
  expect(account.bookings).toHaveLength(1);
});
