import { queryClient } from '@portage/frame';
import { type Account, accountHandlers, freshAccount, problem, someBooking } from '@portage/mock-api';
import { act, screen, waitFor } from '@testing-library/react';
import { delay, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { bookingQuery, previousQuery } from '../booking/checkout/booking-query.ts';
import { renderApp, server, signInForTest, useApp, withAddresses } from './render-app.tsx';

useApp();

let account: Account;
const asked: string[] = [];
beforeEach(() => {
  account = freshAccount();
  account.bookings = [someBooking()];
  asked.length = 0;
  server.use(...accountHandlers(account));
  server.use(
    http.get('*/api/*', ({ request }) => {
      asked.push(new URL(request.url).pathname);
    }),
  );
});

describe('data of a page', () => {
  it('is fetched ahead, beside its code and texts', async () => {
    signInForTest();
    const { router } = await renderApp('/');
    await screen.findByRole('heading', { level: 1 });
    await act(() => router.preloadRoute({ to: '/profile/bookings' }));
    await waitFor(() => expect(queryClient.getQueryData(previousQuery(1).queryKey)).toBeTruthy());
    await act(() => router.preloadRoute({ to: '/move-type' }));
    expect(asked.filter((path) => path === '/api/bookings/previous')).toHaveLength(1);
  });

  it('is not asked for on behalf of nobody', async () => {
    const { router } = await renderApp('/');
    await screen.findByRole('heading', { level: 1 });
    await act(() => router.preloadRoute({ to: '/profile' }));
    expect(asked.filter((path) => path.startsWith('/api/profiles') || path.startsWith('/api/bookings'))).toEqual([]);
  });

  it('does not keep a page from being drawn', async () => {
    server.use(http.get('*/api/furniture', () => delay('infinite')));
    await renderApp('/move-type', { draft: withAddresses });
    expect(await screen.findByRole('heading', { level: 1, name: 'What kind of move is it?' })).toBeVisible();
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  it('is asked for again by the page when it did not come ahead', async () => {
    signInForTest();
    let down = true;
    server.use(http.get('*/api/bookings/previous', () => (down ? problem(403, 'forbidden', 'Not now.') : undefined)));
    const { router } = await renderApp('/');
    await screen.findByRole('heading', { level: 1 });
    await act(() => router.preloadRoute({ to: '/profile/bookings' }));
    await waitFor(() => expect(queryClient.getQueryState(previousQuery(1).queryKey)?.status).toBe('error'));
    down = false;
    await act(() => router.navigate({ to: '/profile/bookings' }));
    expect(await screen.findByText(/PTG4K7/)).toBeVisible();
  });
});

describe('what is there already', () => {
  it('stays when asking for it again fails, and the failure is said', async () => {
    signInForTest();
    await renderApp('/profile/bookings/0192-0001');
    await screen.findByRole('heading', { level: 1, name: 'Booking PTG4K7' });
    server.use(http.get('*/api/c/bookings/:id', () => problem(403, 'forbidden', 'Not now.')));
    await act(() => queryClient.refetchQueries({ queryKey: bookingQuery('0192-0001').queryKey }));
    expect(await screen.findByText('Not now.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Booking PTG4K7' })).toBeVisible();
  });
});

it('says that the next move could not be read, instead of that there is none', async () => {
  signInForTest();
  server.use(http.get('*/api/bookings/previous', () => problem(403, 'forbidden', 'Not now.')));
  await renderApp('/profile');
  expect(await screen.findByText('Not now.')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Your next move' })).toBeNull();
});
