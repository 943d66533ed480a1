import type { EstimateRequest } from '@portage/api';
import { mockEstimate } from '@portage/mock-api';
import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { draftStore } from '../booking/draft/draft-store.ts';
import { changeEnd } from '../booking/draft/ends.ts';
import { isSamePlace } from '../booking/wizard/way.tsx';
import { actEnded, keepFocus, typedEarly } from '../shell/start-page-handover.ts';
import { calls, placedAt, renderApp, server, useApp, withAddresses, withDate, withItems } from './render-app.tsx';

useApp();

const pickup = () => screen.findByRole('combobox', { name: 'Pickup address' });
const dropoff = () => screen.findByRole('combobox', { name: 'Dropoff address' });
const next = () => screen.getByRole('link', { name: 'Next' });

describe('the start page asks for both addresses', () => {
  it('takes them by keyboard alone, hands the focus on, and says distance, time and where the price begins', async () => {
    const { user, router } = await renderApp('/');
    await user.type(await pickup(), 'avenue parc');
    await screen.findByRole('option', { name: /3575 Avenue du Parc/ });
    await user.keyboard('{Enter}');
    await waitFor(async () => expect(await dropoff()).toHaveFocus());
    await user.keyboard('4500 laval');
    await screen.findByRole('option', { name: /Saint-Martin/ });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(next()).toHaveFocus());
    expect(await screen.findByText('By truck it is 12.4 km, about 25 min of driving.')).toBeVisible();
    expect(await screen.findByTestId('from-price')).toHaveTextContent(/^From \$\d+\.\d\d, taxes included$/);
    // one box, the usual crew, no date: the least that is billed on this way
    const asked = calls.findLast((call) => call.path === '/api/booking/estimate')?.body;
    expect(asked).toMatchObject({ mateCount: 2, selectedFurnitures: { furnitures: [{ quantity: 1 }] } });
    expect(asked).not.toHaveProperty('movingDate');
    await user.keyboard('{Enter}');
    // the address changes before the page does, and both pages have the button
    await waitFor(() => expect(router.state.resolvedLocation?.pathname).toBe('/locations'));
    expect(await screen.findByRole('button', { name: 'Change: Dropoff address' })).toBeVisible();
  });

  it.each(['/', '/locations'])('keeps room for the first price while it is asked for, on %s', async (path) => {
    server.use(http.post('*/api/geo/route', () => delay('infinite')));
    await renderApp(path, { draft: withAddresses });
    expect(await screen.findByText('Working out a first price')).toBeVisible();
    // the way, the price and the line below it: the button under them does not move when the answers come
    expect(document.querySelectorAll('main [data-room]')).toHaveLength(3);
    // a usual move's figures are no answer
    expect(document.querySelector('main')).not.toHaveTextContent(/\$|km/);
  });

  it('leads to the fields by hand, where one can begin to write', async () => {
    const { user } = await renderApp('/');
    await pickup();
    await user.click(screen.getAllByRole('button', { name: 'Enter address by hand' })[1] as HTMLElement);
    await waitFor(() => expect(screen.getByLabelText('Street number and name')).toHaveFocus());
  });

  it('never takes the first price for the price of the move', async () => {
    await renderApp('/', { draft: withAddresses });
    await screen.findByTestId('from-price');
    act(() => draftStore.patch({ selectedFurnitures: withItems.selectedFurnitures ?? [] }));
    await waitFor(() => expect(screen.queryByTestId('from-price')).toBeNull());
    expect(screen.getByTestId('estimate')).not.toHaveAttribute('data-phase', 'updating');
  });

  it('puts the focus back into the field of an address that is changed', async () => {
    const { user } = await renderApp('/', { draft: withAddresses });
    await user.click(await screen.findByRole('button', { name: 'Change: Pickup address' }));
    expect(await pickup()).toHaveFocus();
    expect(draftStore.get().ends.pickup.place).not.toBeNull();
  });

  it('goes on without a first price when none comes', async () => {
    server.use(http.post('*/api/booking/estimate', () => new HttpResponse(null, { status: 404 })));
    await renderApp('/', { draft: withAddresses });
    expect(await screen.findByText(/The first price does not answer right now/)).toBeVisible();
    expect(next()).toHaveAttribute('href', '/locations');
  });
});

describe('what is odd about a way is said at the addresses', () => {
  const { ends } = withAddresses;
  const same = placedAt(withAddresses, 'dropoff', { coords: ends?.pickup.place?.coords ?? null });

  it.each(['/', '/locations'])('the same place twice, on %s', async (path) => {
    await renderApp(path, { draft: same });
    expect(await screen.findByText(/Pickup and dropoff are the same place/)).toBeVisible();
  });

  it('but not two flats of one house', () => {
    if (!same.ends) throw new Error('no ends');
    const flats = {
      ...same.ends,
      pickup: { ...same.ends.pickup, unit: '1' },
      dropoff: { ...same.ends.dropoff, unit: '2' },
    };
    expect(isSamePlace({ ends: flats })).toBe(false);
    expect(isSamePlace({ ends: { ...flats, dropoff: { ...flats.dropoff, unit: '1' } } })).toBe(true);
  });

  it.each(['/', '/locations'])('more than 100 km as a residential move, on %s', async (path) => {
    server.use(
      http.post('*/api/geo/route', () => HttpResponse.json({ durationSeconds: 10_800, distanceMeters: 265_000 })),
    );
    const { user } = await renderApp(path, { draft: withAddresses });
    await user.click(await screen.findByRole('button', { name: 'Choose long distance' }));
    expect(draftStore.get().bookingType).toBe('longDistance');
    expect(document.activeElement).not.toBe(document.body);
    expect(document.activeElement).toContainElement(screen.getByText(/^By truck it is/));
    expect(await screen.findByTestId('from-price')).toBeVisible();
    await waitFor(() =>
      expect(calls.findLast((call) => call.path === '/api/booking/estimate')?.body).toMatchObject({
        moveKind: 'longDistance',
      }),
    );
  });

  it('a way too long to be booked online leads to people, and names no price', async () => {
    server.use(
      http.post('*/api/booking/estimate', async ({ request }) => {
        await request.json();
        const { mockApi } = await import('@portage/mock-api');
        const answer = await mockApi(
          new Request(request.url, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({
              travelDuration: 25,
              selectedFurnitures: { furnitures: [{ id: 'hot-tub', quantity: 1 }] },
              mateCount: 2,
              locationDetails: [{}, {}],
              pickupAddress: { province: 'QC' },
              moveKind: 'residential',
            }),
          }),
        );
        return answer;
      }),
    );
    await renderApp('/', { draft: withAddresses });
    const told = await screen.findByText(/too long to be booked online/);
    expect(told).toBeVisible();
    expect(screen.queryByTestId('from-price')).toBeNull();
    expect(within(screen.getByRole('main')).getByRole('link', { name: /Write to/ })).toBeVisible();
  });
});

describe('a way that no crew does in a day', () => {
  const total = '18717.23';
  /** Vancouver to Montréal: the server prices it, and says with the price that it needs a person. */
  const across = () =>
    server.use(
      http.post('*/api/geo/route', () =>
        HttpResponse.json({
          durationSeconds: 175_000,
          distanceMeters: 4_580_000,
          geometry: { type: 'LineString', coordinates: [] },
        }),
      ),
      http.post('*/api/booking/estimate', async ({ request }) => {
        const body = (await request.json()) as EstimateRequest;
        asked.push(body.selectedFurnitures);
        return HttpResponse.json({
          ...mockEstimate(body),
          amount: '16279.39',
          tax: '2437.84',
          total,
          warnings: [{ code: 'contact_support' }],
        });
      }),
    );
  const asked: unknown[] = [];
  beforeEach(() => {
    asked.length = 0;
    across();
  });
  const said = () => screen.findByText(/too long to be booked online/);

  it('is told at the addresses, with no price, and leads to people', async () => {
    const { user, router } = await renderApp('/locations', { draft: withDate });
    await said();
    expect(document.body).not.toHaveTextContent('18,717.23');
    await user.click(screen.getByRole('button', { name: /^Continue/ }));
    const summary = await screen.findByRole('alert');
    await user.click(within(summary).getByRole('link', { name: /too long to be booked online/ }));
    expect(router.state.location.pathname).toBe('/locations');
    // the move itself was never priced: only the least that makes it one
    expect(asked).toEqual([{ furnitures: [{ id: 'box-small-1-5', quantity: 1 }] }]);
  });

  it('leads Next from the start to the addresses', async () => {
    const { router, user } = await renderApp('/', { draft: withDate });
    await said();
    expect(screen.queryByTestId('from-price')).toBeNull();
    await user.click(next());
    await waitFor(() => expect(router.state.location.pathname).toBe('/locations'));
  });

  it.each(['/move-type', '/schedule', '/quote'])('is told on %s as well, without a price', async (path) => {
    await renderApp(path, { draft: withDate });
    await said();
    expect(document.body).not.toHaveTextContent('18,717.23');
    expect(calls.some((call) => call.path === '/api/booking/prices')).toBe(false);
  });
});

describe('a move between two places that we do not serve', () => {
  const nowhere = { area: { served: false, area: null, exact: true } };
  const unserved = placedAt(placedAt(withItems, 'pickup', nowhere), 'dropoff', nowhere);
  const bare = { ...unserved, selectedFurnitures: [] };

  it.each([
    ['/', bare],
    ['/', unserved],
    ['/locations', unserved],
  ] as const)('is refused at the addresses on %s, and has no price', async (path, draft) => {
    await renderApp(path, { draft });
    expect(await screen.findByText('We currently do not operate in this area, sorry!')).toBeVisible();
    await waitFor(() => expect(calls.some((call) => call.path === '/api/geo/route')).toBe(true));
    await new Promise((later) => setTimeout(later, 500));
    expect(calls.some((call) => call.path.startsWith('/api/booking/'))).toBe(false);
    expect(within(screen.getByRole('main')).queryByText(/\$\d/)).toBeNull();
    for (const price of screen.queryAllByTestId('estimate')) expect(price).toHaveAttribute('data-phase', 'empty');
    if (path === '/')
      expect(screen.getByRole('link', { name: /^1?\s*Locations/ })).toHaveAttribute('aria-current', 'step');
  });

  it('goes no further than the addresses', async () => {
    const { router } = await renderApp('/move-type', { draft: unserved });
    await waitFor(() => expect(router.state.location.pathname).toBe('/locations'));
  });

  it('says so with the first of the two addresses', async () => {
    const { ends } = placedAt(withAddresses, 'pickup', nowhere);
    if (!ends) throw new Error('no ends');
    await renderApp('/', { draft: changeEnd({ ends }, 'dropoff', { place: null }) });
    expect(await screen.findByText(/Other areas can still book if the pickup or dropoff is in Montreal/)).toBeVisible();
  });
});

describe('what was typed before the app had arrived', () => {
  it('is taken along to the letter, with the focus', () => {
    document.body.innerHTML =
      '<div id="old"><div class="shell-start"><input data-end="pickup" value=" 12 rue "><input data-end="dropoff"></div></div>' +
      '<main hidden><div data-end="pickup"><input id="new"></div></main>';
    document.querySelector<HTMLInputElement>('.shell-start input')?.focus();
    expect(typedEarly()).toEqual([{ end: 'pickup', text: ' 12 rue ' }]);
    keepFocus(() => {
      document.getElementById('old')?.remove();
      document.querySelector('main')?.removeAttribute('hidden');
    });
    expect(document.getElementById('new')).toHaveFocus();
    document.body.innerHTML = '';
  });

  it.each(['pointerup', 'compositionend'])('waits for the end of what is being done: %s', async (end) => {
    document.documentElement.setAttribute('data-busy', '');
    let over = false;
    const waiting = actEnded().then(() => (over = true));
    await new Promise((later) => setTimeout(later, 20));
    expect(over).toBe(false);
    dispatchEvent(new Event(end));
    await waiting;
    document.documentElement.removeAttribute('data-busy');
  });
});
