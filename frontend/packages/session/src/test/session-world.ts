import { mockConfig } from '@portage/mock-api';
import { delay, http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

import { createSession, type Session } from '../session.ts';

const issuer = `${location.origin}/identity`;
const encode = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
export const idToken = (claims: object) => `${encode({ alg: 'ES256' })}.${encode(claims)}.signature`;

/** What happened around the session under test; made anew for each test. */
export const world = {
  session: undefined as unknown as Session,
  /** The nonce of the latest authorization request. */
  nonce: '',
  /** Refresh tokens that were used, in order. */
  refreshes: [] as string[],
  /** Addresses that the page was left for. */
  left: [] as string[],
  /** What the app was told. */
  told: [] as string[],
  /** What the API was handed. */
  handed: [] as { idToken: string; accessToken?: string }[],
  /** The address that the API knows of an ID token alone. */
  known: null as string | null,
};

/** A session of an app whose server has these settings. */
export function newSession(config: Partial<typeof mockConfig> = {}): Session {
  return createSession({
    config: () => Promise.resolve({ ...mockConfig, issuer, ...config }),
    callbackPath: '/callback',
    home: '/',
    storage: { local: () => localStorage, session: () => sessionStorage },
    handOver: (proof) => {
      world.handed.push(proof);
      return Promise.resolve(proof.accessToken ? 'ana@example.test' : world.known);
    },
    leave: (url) => world.left.push(url),
    onEnd: () => world.told.push('ended'),
    onSignOut: () => world.told.push('signedOut'),
  });
}

export const claims = () => ({
  iss: issuer,
  aud: 'portage-web',
  sub: 'user-1',
  email: 'ana@example.test',
  exp: Date.now() / 1000 + 300,
  nonce: world.nonce,
});

export const server = setupServer(
  http.get('*/identity/.well-known/openid-configuration', () =>
    HttpResponse.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      end_session_endpoint: `${issuer}/end`,
    }),
  ),
  http.post('*/identity/token', async ({ request }) => {
    const form = new URLSearchParams(await request.text());
    if (form.get('grant_type') === 'refresh_token') {
      world.refreshes.push(form.get('refresh_token') ?? '');
      await delay(20);
      return HttpResponse.json({
        access_token: `access-${world.refreshes.length + 1}`,
        refresh_token: `refresh-${world.refreshes.length + 1}`,
        expires_in: 3600,
        id_token: idToken({ ...claims(), nonce: undefined }),
      });
    }
    // expired at once, so that the next use has to renew
    return HttpResponse.json({
      access_token: 'access-1',
      refresh_token: 'refresh-1',
      expires_in: 1,
      id_token: idToken(claims()),
    });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  Object.assign(world, {
    session: newSession(),
    nonce: '',
    refreshes: [],
    left: [],
    told: [],
    handed: [],
    known: null,
  });
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** Starts a sign-in the way the app does and answers as the provider would. */
export async function callback(returnTo: string, answer: Record<string, string> = { code: 'c-1' }): Promise<URL> {
  await world.session.signIn(returnTo);
  const request = new URL(world.left.at(-1) ?? '');
  world.nonce = request.searchParams.get('nonce') ?? '';
  const url = new URL('/callback', location.origin);
  url.searchParams.set('state', request.searchParams.get('state') ?? '');
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return url;
}
