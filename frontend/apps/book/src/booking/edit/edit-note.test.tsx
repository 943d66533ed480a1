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
