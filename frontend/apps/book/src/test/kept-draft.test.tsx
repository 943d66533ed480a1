import { problem } from '@portage/mock-api';
import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';

import { draftStore } from '../booking/draft/draft-store.ts';
import { applyPrefill } from '../features/prefill/prefill.ts';
import { calls, renderApp, server, useApp, withDate } from './render-app.tsx';

useApp();

describe('a piece that the catalogue no longer has', () => {
  const gone = { id: 'old-piece', quantity: 2 };
  const refusesUnknown = () =>
    server.use(
      http.post('*/api/booking/estimate', async ({ request }) =>
        (await request.clone().text()).includes('old-piece')
          ? problem(422, 'validation_failed', 'Unknown piece.')
          : undefined,
      ),
    );

  it('is taken off the list with a sentence, and the rest is priced', async () => {
    refusesUnknown();
    const { user } = await renderApp('/quote', {
      draft: { ...withDate, selectedFurnitures: [gone, { id: 'couch-3-seats', quantity: 1 }] },
    });
    const said = await screen.findByText(/A piece you chose is no longer in our list/);
    expect(said).toBeVisible();
    expect(draftStore.get().selectedFurnitures).toEqual([{ id: 'couch-3-seats', quantity: 1 }]);
    expect(await screen.findByTestId('estimate')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('We could not work out a price.')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(/no longer in our list/)).toBeNull();
  });

  it('leads to the list when nothing is left on it', async () => {
    refusesUnknown();
    const { router } = await renderApp('/quote', {
      draft: { ...withDate, selectedFurnitures: [gone, { id: 'older-piece', quantity: 1 }] },
    });
    await waitFor(() => expect(router.state.location.pathname).toBe('/move-type'));
    // the page may be drawn anew once the list is known to be empty
    await waitFor(() => expect(screen.getByText(/2 pieces you chose are no longer in our list/)).toBeVisible());
  });

  it('is found on a page without the catalogue when the price is refused', async () => {
    refusesUnknown();
    await renderApp('/schedule', {
      draft: { ...withDate, selectedFurnitures: [gone, { id: 'couch-3-seats', quantity: 1 }] },
    });
    expect(await screen.findByText(/A piece you chose is no longer in our list/, {}, { timeout: 8000 })).toBeVisible();
  });

  it('stays in a booking that is being changed as long as it has a price', async () => {
    await renderApp('/quote', {
      draft: { ...withDate, editing: 'b-1', selectedFurnitures: [gone, { id: 'couch-3-seats', quantity: 1 }] },
    });
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/furniture')).toBe(true));
    await screen.findByRole('heading', { level: 1 });
    expect(draftStore.get().selectedFurnitures).toHaveLength(2);
  });
});

describe('the link of an advertisement', () => {
  const link = () =>
    new URL('/?pickupFullAddress=1+Rue+A&pickupApt=9&dropoffFloor=4&discount=WELCOME10', location.origin);

  it('fills in a new booking', () => {
    act(() => applyPrefill(link()));
    expect(draftStore.get()).toMatchObject({ discountCode: 'WELCOME10', ends: { pickup: { unit: '9' } } });
  });

  it('changes nothing of a booking that is being changed', () => {
    draftStore.reset({ ...withDate, editing: 'b-1' });
    const before = draftStore.get();
    act(() => applyPrefill(link()));
    expect(draftStore.get()).toEqual(before);
    expect(calls).toEqual([]);
    expect(location.search).toBe('');
  });
});
