import { queryClient } from '@portage/frame';
import { accountHandlers, freshAccount, mockEstimate } from '@portage/mock-api';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { draftStore, storageKey } from '../booking/draft/draft-store.ts';
import { placeHold } from '../booking/hold/use-hold.ts';
import { calls, fromVancouver, renderApp, server, signInForTest, useApp, withDate, withItems } from './render-app.tsx';

useApp();
afterEach(() => {
  vi.useRealTimers();
});

const fresh = async () =>
  waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh'), { timeout: 5000 });
const estimateFails = () =>
  server.use(http.post('*/api/booking/estimate', () => new HttpResponse(null, { status: 503 })));
const stored = () =>
  (JSON.parse(localStorage.getItem(storageKey) ?? '{}') as { draft?: Record<string, unknown> }).draft ?? {};
const duration = mockEstimate({
  travelDuration: 25,
  selectedFurnitures: { furnitures: withItems.selectedFurnitures ?? [] },
  mateCount: 2,
} as Parameters<typeof mockEstimate>[0]).duration;
const holds = () =>
  calls.filter((call) => call.path === '/api/holds').map((call) => call.body as Record<string, unknown>);

it('holds the start for the whole duration although the estimate could not be read again meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
  const { user } = await renderApp('/schedule', { draft: withItems });
  await fresh();
  estimateFails();
  await queryClient.refetchQueries({ queryKey: ['/booking/estimate'] });
  await user.click(await screen.findByRole('button', { name: /Wednesday, February 17, 2027, 1\d start times/ }));
  await user.click(await screen.findByRole('radio', { name: '9:00\u00A0a.m.' }));
  await waitFor(() => expect(holds()).toHaveLength(1));
  expect(holds()[0]).toMatchObject({ duration, tier: 1 });
});

it('makes no hold while nobody knows how long this move takes, and says so', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
  estimateFails();
  await renderApp('/schedule', { draft: withDate });
  await waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'failed'), {
    timeout: 8000,
  });
  const page = within(screen.getByRole('main'));
  expect(await page.findByText('We could not work out a price.')).toBeVisible();
  expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  expect(holds()).toEqual([]);
});

it('asks for no hold without the server’s own estimate, whoever wants one', async () => {
  estimateFails();
  draftStore.reset(withDate);
  const slot = { date: '2027-02-17', time: '09:00', startsAt: '2027-02-17T14:00:00Z', zone: 'America/Toronto' };
  await expect(placeHold(slot)).rejects.toMatchObject({ status: 503 });
  expect(holds()).toEqual([]);
  expect(draftStore.get().hold).toBeNull();
});

it('keeps in the stored draft what the person said, and nothing the server computed', async () => {
  const { user } = await renderApp('/quote', { draft: withDate });
  await fresh();
  await user.type(await screen.findByRole('textbox', { name: /Tip in dollars/ }), '20');
  const draft = stored();
  expect(draft).toMatchObject({ mateCount: 2, tipValue: '20', date: '2027-02-17' });
  for (const name of [
    'quote',
    'quoteFor',
    'estimate',
    'discount',
    'priceQuote',
    'priceTaxed',
    'estimatedDuration',
    'isDurationWithinLimit',
    'travelDuration',
    'distanceKm',
    'routeFor',
    'braintreeCustomerId',
  ])
    expect(draft, name).not.toHaveProperty(name);
});

it('shows no price of another move after starting over', async () => {
  await renderApp('/move-type', { draft: withItems });
  await fresh();
  estimateFails();
  act(() => draftStore.reset({ ...withItems, mateCount: 3 }));
  await waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'failed'), {
    timeout: 8000,
  });
  expect(screen.getByTestId('estimate')).not.toHaveTextContent('$');
});

const agreed = { ...fromVancouver(withDate), guidelinesAgreed: true };

it.each(['/quote', '/guidelines', '/payment'])(
  'asks for the plan on %s with the province of the pickup',
  async (path) => {
    server.use(...accountHandlers(freshAccount()));
    signInForTest();
    await renderApp(path, { draft: agreed });
    await waitFor(() => expect(calls.some((call) => call.path === '/api/booking/payment-plan')).toBe(true));
    const asked = calls.filter((call) => call.path === '/api/booking/payment-plan').map((call) => call.body);
    for (const body of asked) expect(body).toMatchObject({ province: 'BC', moveAt: withDate.startsAt });
  },
);

describe('the largest crew that is booked online', () => {
  const limit = (most: number) =>
    server.use(http.get('*/api/rates/active', () => HttpResponse.json({ id: 'r', max_online_heads: most })));

  it('is the rate card’s, the helping customer counted', async () => {
    limit(4);
    const { user } = await renderApp('/move-type', {
      draft: { ...withItems, mateCount: 4, numberOfHelpers: 4 },
    });
    expect(await screen.findByRole('radio', { name: /^4 mates/ })).toBeChecked();
    await waitFor(() => expect(screen.queryByRole('radio', { name: /^5 mates/ })).toBeNull());
    expect(
      screen.getByText('Online we book crews of up to 4 people, you included if you help. For more, contact us.'),
    ).toBeVisible();
    expect(screen.queryByText(/crew is larger/)).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'I will help carry' }));
    expect(await screen.findByText(/This crew is larger than what we book online/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Write to help@portage.test' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Continue to schedule' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/This crew is larger than what we book online/);
    await user.click(screen.getByRole('radio', { name: /^3 mates/ }));
    await waitFor(() => expect(screen.queryByText(/This crew is larger/)).toBeNull());
  });

  it('falls back to six while the rate card cannot be read', async () => {
    server.use(http.get('*/api/rates/active', () => new HttpResponse(null, { status: 404 })));
    await renderApp('/move-type', { draft: { ...withItems, mateCount: 5 } });
    expect(await screen.findByRole('radio', { name: /^6 mates/ })).toBeEnabled();
  });
});

it('writes no price of zero on the payment page while the estimate is on its way', async () => {
  server.use(...accountHandlers(freshAccount()));
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.post('*/api/booking/estimate', async () => {
      await asked;
      return undefined;
    }),
  );
  signInForTest();
  await renderApp('/payment', { draft: { ...withDate, guidelinesAgreed: true } });
  await screen.findByRole('heading', { level: 1, name: 'Confirm and pay' });
  expect(document.body).not.toHaveTextContent('$0.00');
  expect(screen.getByTestId('pay')).toBeDisabled();
  answer();
  expect(await screen.findByTestId('total')).toHaveTextContent(/^\$\d+\.\d\d$/);
  expect(document.body).not.toHaveTextContent('$0.00');
});

it('takes a price it cannot read for a failed one, and shows none', async () => {
  server.use(
    http.post('*/api/booking/estimate', async ({ request }) => {
      const estimate = mockEstimate((await request.json()) as Parameters<typeof mockEstimate>[0]);
      return HttpResponse.json({ ...estimate, tax: 'n/a' });
    }),
  );
  await renderApp('/quote', { draft: withDate });
  await waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'failed'), {
    timeout: 8000,
  });
  expect(screen.getByRole('main')).not.toHaveTextContent(/\$\d|NaN/);
});
