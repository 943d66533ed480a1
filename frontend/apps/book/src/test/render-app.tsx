import type { Place } from '@portage/address';
import { configureClient } from '@portage/api';
import { App, queryClient } from '@portage/frame';
import { changeLanguage, currentLanguage, type FirstTexts, type Language, startI18n } from '@portage/i18n';
import { mockApi } from '@portage/mock-api';
import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

import { draftStore } from '../booking/draft/draft-store.ts';
import { type Draft, emptyDraft } from '../booking/draft/draft.ts';
import { changeEnd, emptyEnd, type End } from '../booking/draft/ends.ts';
import firstTexts from '../first-texts.json';
import { createAppRouter } from '../router.tsx';
import { accessToken, renew, sessionEnded, setSessionForTest } from '../shell/session.ts';

/** Calls the app made, in order, for tests that look at what was sent. */
export const calls: { method: string; path: string; body: unknown; headers: Headers }[] = [];

export const server = setupServer(
  http.all('*/api/*', async ({ request }) => {
    const copy = request.clone();
    const text = await copy.text();
    calls.push({
      method: request.method,
      path: new URL(request.url).pathname,
      body: text ? (JSON.parse(text) as unknown) : null,
      headers: request.headers,
    });
    return mockApi(request);
  }),
  http.get('*/locales/*', () => passthrough()),
);

/** Starts the stand-in server and a clean draft around every test of the file. */
export function useApp(): void {
  beforeAll(async () => {
    server.listen({ onUnhandledRequest: 'error' });
    configureClient({ accessToken, renew, sessionEnded, language: currentLanguage });
    await startI18n(firstTexts as FirstTexts);
  });
  beforeEach(async () => {
    calls.length = 0;
    localStorage.clear();
    sessionStorage.clear();
    setSessionForTest(null);
    draftStore.reset();
    queryClient.clear();
    await changeLanguage('en');
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
}

export async function renderApp(path: string, options: { draft?: Partial<Draft>; language?: Language } = {}) {
  if (options.language) await changeLanguage(options.language);
  if (options.draft) draftStore.reset(options.draft);
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }));
  const view = render(<App router={router} test />);
  return { ...view, router, user: userEvent.setup() };
}

const address = (street: string, city: string, province: string, postalCode: string) => ({
  country: 'Canada',
  province,
  postalCode,
  city,
  street,
  unit: '',
  fullAddress: `${street}, ${city}, ${province} ${postalCode}, Canada`,
});

/** A draft with step 1 done. */
export const withAddresses: Partial<Draft> = {
  ends: {
    pickup: {
      ...emptyEnd(),
      place: {
        address: address('3575 Avenue du Parc', 'Montréal', 'QC', 'H2X 3P9'),
        coords: { lat: 45.511, lon: -73.573 },
        area: { served: true, area: 'greater-montreal', exact: true },
      },
    },
    dropoff: {
      ...emptyEnd(),
      place: {
        address: address('4500 Boulevard Saint-Martin Ouest', 'Laval', 'QC', 'H7T 2Y3'),
        coords: { lat: 45.556, lon: -73.744 },
        area: { served: true, area: 'greater-montreal', exact: true },
      },
    },
  },
};

/** The same draft with something else about the place of one end. */
export function placedAt(draft: Partial<Draft>, end: End, change: Partial<Place>): Partial<Draft> {
  const { ends = emptyDraft().ends } = draft;
  const { place } = ends[end];
  return { ...draft, ...changeEnd({ ends }, end, { place: place && { ...place, ...change } }) };
}

/** The same draft with the pickup in Vancouver, where the clock is another one. */
export function fromVancouver(draft: Partial<Draft>): Partial<Draft> {
  const there = address('3575 Avenue du Parc', 'Vancouver', 'BC', 'V6C 1S4');
  return placedAt(draft, 'pickup', { address: there });
}

/** A draft with steps 1 and 2 done. */
export const withItems: Partial<Draft> = {
  ...withAddresses,
  selectedFurnitures: [
    { id: 'couch-3-seats', quantity: 1 },
    { id: 'box-medium-3-1', quantity: 20 },
  ],
};

/** A draft with all three steps done. */
export const withDate: Partial<Draft> = {
  ...withItems,
  date: '2027-02-17',
  time: '09:00',
  startsAt: '2027-02-17T14:00:00Z',
  zone: 'America/Toronto',
};

/** Signs a person in without a provider. */
export function signInForTest(sub = 'user-1', claims: Record<string, unknown> = {}): void {
  setSessionForTest({
    accessToken: 'token-1',
    refreshToken: null,
    idToken: '',
    expiresAt: Date.now() + 3_600_000,
    claims: { sub, email: 'ana@example.test', name: 'Ana Roy', given_name: 'Ana', ...claims },
  });
}
