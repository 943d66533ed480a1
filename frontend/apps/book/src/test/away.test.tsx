import { onlineManager } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { queryClient } from '@portage/frame';

import { draftStore } from '../booking/draft/draft-store.ts';
import { calls, renderApp, server, useApp, withAddresses, withDate, withItems } from './render-app.tsx';

useApp();
afterEach(() => {
  vi.useRealTimers();
});

describe('the schedule while no answer comes', () => {
  it('says so where the browser is offline, and is there after another try', async () => {
    onlineManager.setOnline(false);
    onTestFinished(() => onlineManager.setOnline(true));
    server.use(http.all('*/api/*', () => HttpResponse.error()));
    const { user } = await renderApp('/schedule', { draft: withItems });
    const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 8000 });
    expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull();
    server.resetHandlers();
    await user.click(again);
    expect(await screen.findByRole('grid', {}, { timeout: 5000 })).toBeVisible();
  }, 20_000);

  it('says so when a server hangs, and asks again when told to', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const asked = vi.fn();
    server.use(
      http.post('*/api/booking/estimate', () => {
        asked();
        return new Promise<Response>(() => undefined);
      }),
    );
    const { user } = await renderApp('/schedule', { draft: withItems });
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
    await vi.advanceTimersByTimeAsync(13_000);
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByText(/could not reach the server/)).toBeVisible();
    await user.click(again);
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
    queryClient.clear();
  }, 20_000);
});

describe('a hold that has lapsed', () => {
  it('is taken again with one press', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
    const over = { id: 'hold-0', startsAt: '2027-02-17T14:00:00Z', covers: '', endsAt: Date.now() - 1000, offset: 0 };
    const { user } = await renderApp('/schedule', { draft: { ...withDate, hold: { ...over, minutes: 15 } } });
    await user.click(await screen.findByRole('button', { name: 'Keep this time again' }, { timeout: 5000 }));
    expect(await screen.findByText(/^This start is kept for you/)).toBeVisible();
    expect(calls.find((call) => call.path === '/api/holds')?.body).toMatchObject({
      date: '2027-02-17',
      time: '09:00',
    });
    expect(draftStore.get().hold?.id).not.toBe('hold-0');
    await waitFor(() => expect(screen.getByRole('radio', { name: '9:00\u00A0a.m.' })).toHaveFocus());
  });
});

describe('the arrow of the stepper', () => {
  it('passes no step that Continue refuses', async () => {
    server.use(
      http.post('*/api/geo/route', () => HttpResponse.json({ code: 'no_route', status: 422 }, { status: 422 })),
    );
    const { user, router } = await renderApp('/locations', { draft: withAddresses });
    await screen.findByText('No route was found between these two addresses.', {}, { timeout: 5000 });
    await user.click(screen.getByRole('link', { name: 'Next step' }));
    expect(await screen.findByRole('link', { name: 'No route was found between these two addresses.' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/locations');
  });

  it('goes on where Continue does', async () => {
    const { user, router } = await renderApp('/locations', { draft: withAddresses });
    await screen.findByText(/By truck it is/, {}, { timeout: 5000 });
    await user.click(screen.getByRole('link', { name: 'Next step' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/move-type'));
    expect(draftStore.get().locationsConfirmed).toBe(true);
  });
});

it('names the piece that support has to be asked about', async () => {
  await renderApp('/move-type', { draft: { ...withItems, selectedFurnitures: [{ id: 'hot-tub', quantity: 1 }] } });
  expect(await screen.findByText(/^Hot tub: .*contact our support team by chat/, {}, { timeout: 5000 })).toBeVisible();
});

it('replaces a typical list that nobody has touched, and leaves one that was as it is until the other is taken', async () => {
  const { user } = await renderApp('/move-type', { draft: withAddresses });
  await user.click(await screen.findByRole('button', { name: 'Studio' }));
  const [, other] = screen.getByRole('group', { name: 'Start from a home like yours' }).querySelectorAll('button');
  if (!other) throw new Error('the stand-in has one preset only');
  await user.click(other);
  expect(screen.queryByRole('dialog')).toBeNull();
  const before = draftStore.get().selectedFurnitures;
  draftStore.patch({ selectedFurnitures: before.map((item, at) => (at === 0 ? { ...item, quantity: 9 } : item)) });
  await user.click(screen.getByRole('button', { name: 'Studio' }));
  expect(draftStore.get().selectedFurnitures[0]?.quantity).toBe(9);
  expect(await screen.findByRole('button', { name: 'Begin anew with the typical list' })).toBeVisible();
});
