import { leaveFor } from '@portage/frame';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

import { draftStore, storageKey } from '../booking/draft/draft-store.ts';
import { renderApp, useApp, withAddresses, withDate } from './render-app.tsx';

vi.mock('../../../../packages/frame/src/leave.ts', () => ({ leaveFor: vi.fn() }));
// what a page whose file is gone comes to
vi.mock('../features/guidelines/guidelines-page.tsx', () => ({
  GuidelinesPage: () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  },
}));

useApp();

/** What Vite says when a file of the build is not there any more. */
const missing = () => act(() => void dispatchEvent(new Event('vite:preloadError', { cancelable: true })));

beforeEach(() => vi.mocked(leaveFor).mockReset());

it('does not tear a page away for a file that was only fetched ahead', async () => {
  await renderApp('/locations', { draft: withAddresses });
  await screen.findByRole('heading', { name: 'Where are you moving?' });
  missing();
  expect(leaveFor).not.toHaveBeenCalled();
});

it('loads the next page as a whole once a file of this version is gone, with the draft kept', async () => {
  const { router } = await renderApp('/locations', { draft: withAddresses });
  await screen.findByRole('heading', { name: 'Where are you moving?' });
  missing();
  await act(() => router.navigate({ to: '/move-type' }));
  expect(leaveFor).toHaveBeenCalledTimes(1);
  expect(leaveFor).toHaveBeenCalledWith('/move-type');
  expect(JSON.parse(localStorage.getItem(storageKey) ?? '{}')).toMatchObject({
    draft: { ends: withAddresses.ends },
  });
  expect(draftStore.get().ends.pickup.place).not.toBeNull();
});

it('loads once only, and then says what may be the matter', async () => {
  const { router, user } = await renderApp('/locations', { draft: withDate });
  await screen.findByRole('heading', { name: 'Where are you moving?' });
  missing();
  await act(() => router.navigate({ to: '/move-type' }));
  expect(leaveFor).toHaveBeenCalledTimes(1);
  // the page came back as it was, and the file is missing again
  vi.spyOn(console, 'error').mockImplementation(() => {});
  missing();
  await act(() => router.navigate({ to: '/guidelines' }));
  expect(await screen.findByText(/A part of this page could not be fetched/)).toBeVisible();
  expect(leaveFor).toHaveBeenCalledTimes(1);
  await user.click(screen.getByRole('button', { name: 'Load the page again' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledTimes(2));
});
