import { accountHandlers, freshAccount, someBooking } from '@portage/mock-api';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';

import { renderApp, server, signInForTest, useApp, withItems } from '../../test/render-app.tsx';
import { draftStore } from '../draft/draft-store.ts';

useApp();

beforeEach(() => {
  const account = freshAccount();
  account.bookings = [someBooking()];
  server.use(...accountHandlers(account));
  signInForTest();
});

it('keeps a draft in progress aside while a booking is edited, and goes on with it after Close', async () => {
  const { user } = await renderApp('/move-type?edit=0192-0001', { draft: { ...withItems, comments: 'my own move' } });
  expect(await screen.findByText('You are editing a booking.')).toBeVisible();
  expect(draftStore.get()).toMatchObject({ editing: '0192-0001' });
  expect(draftStore.get().comments).not.toBe('my own move');
  await user.click(screen.getByRole('link', { name: 'Close' }));
  await waitFor(() => expect(draftStore.get().editing).toBeNull());
  expect(draftStore.get()).toMatchObject({ ...withItems, comments: 'my own move' });
});

it.each([
  ['pending', /Within 48 hours of the move a booking can no longer be changed online/],
  ['cancelled', /This booking is over or cancelled/],
] as const)('says at once that a %s booking can no longer be changed, with the ways on', async (status, told) => {
  const account = freshAccount();
  account.bookings = [someBooking({ mayEdit: false, status })];
  server.use(...accountHandlers(account));
  await renderApp('/quote?edit=0192-0001', { draft: { ...withItems, comments: 'my own move' } });
  expect(
    await screen.findByRole('heading', { level: 1, name: 'This booking can no longer be changed online' }),
  ).toBeVisible();
  expect(screen.getByText(told)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See your booking' })).toHaveAttribute('href', '/profile/bookings/0192-0001');
  expect(screen.getByRole('link', { name: /514-555-0100/ })).toBeVisible();
  // no wizard around it, and the person's own draft is as it was
  expect(screen.queryByRole('button', { name: 'Review the change' })).toBeNull();
  expect(screen.queryByTestId('estimate')).toBeNull();
  expect(draftStore.get()).toMatchObject({ editing: null, comments: 'my own move' });
});
