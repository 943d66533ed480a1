import { delay, http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { mockConfig } from '../../test/mock-api.ts';
import { queryClient } from '../query-client.ts';
import { authorizationUrl } from './oidc.ts';

const issuer = `${location.origin}/identity`;
const encode = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
const idToken = (claims: object) => `${encode({ alg: 'ES256' })}.${encode(claims)}.signature`;

let nonce = '';
let refreshes: string[] = [];
const claims = () => ({
  iss: issuer,
  aud: 'portage-web',
  sub: 'user-1',
  email: 'ana@example.test',
  exp: Date.now() / 1000 + 300,
  nonce,
});

const server = setupServer(
  http.get('*/api/config', () => HttpResponse.json({ ...mockConfig, issuer })),
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
      refreshes.push(form.get('refresh_token') ?? '');
      await delay(20);
      return HttpResponse.json({
        access_token: `access-${refreshes.length + 1}`,
        refresh_token: `refresh-${refreshes.length + 1}`,
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
  vi.resetModules();
  queryClient.clear();
  sessionStorage.clear();
  localStorage.clear();
  refreshes = [];
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** Starts a sign-in the way the app does and answers as the provider would. */
async function callback(returnTo: string, answer: Record<string, string> = { code: 'c-1' }): Promise<URL> {
  const request = new URL(await authorizationUrl(returnTo));
  nonce = request.searchParams.get('nonce') ?? '';
  const url = new URL('/callback', location.origin);
  url.searchParams.set('state', request.searchParams.get('state') ?? '');
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return url;
}

async function session() {
  return import('./session.ts');
}

describe('authorization request', () => {
  it('asks for a code with PKCE S256, offline access and the language', async () => {
    const url = new URL(await authorizationUrl('/payment'));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'portage-web',
      redirect_uri: `${location.origin}/callback`,
      scope: 'openid profile email offline_access',
      code_challenge_method: 'S256',
      ui_locales: 'en',
      audience: 'portage-api',
    });
    expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  });
});

describe('sign-in', () => {
  it('goes back to where the person was, and keeps tokens out of storage', async () => {
    const { completeSignIn } = await session();
    expect(await completeSignIn(await callback('/payment'))).toBe('/payment');
    expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toMatch(
      /access-1|refresh-1/,
    );
  });

  it('never returns to another site', async () => {
    const { completeSignIn } = await session();
    expect(await completeSignIn(await callback('//evil.example/x'))).toBe('/');
  });

  it('refuses a state it did not make, a state used twice, and a wrong nonce', async () => {
    const { completeSignIn } = await session();
    await expect(completeSignIn(new URL('/callback?code=c&state=made-up', location.origin))).rejects.toMatchObject({
      code: 'unknown_state',
    });
    const url = await callback('/');
    await completeSignIn(url);
    await expect(completeSignIn(url)).rejects.toMatchObject({ code: 'unknown_state' });
    const other = await callback('/');
    nonce = 'not-the-one-sent';
    await expect(completeSignIn(other)).rejects.toMatchObject({ code: 'invalid_id_token' });
  });

  it('passes on the provider’s refusal', async () => {
    const { completeSignIn } = await session();
    await expect(completeSignIn(await callback('/', { error: 'access_denied' }))).rejects.toMatchObject({
      code: 'access_denied',
    });
  });
});

describe('renewal', () => {
  it('runs once for many callers and replaces the rotated token', async () => {
    const { completeSignIn, accessToken } = await session();
    await completeSignIn(await callback('/'));
    expect(await Promise.all([accessToken(), accessToken(), accessToken()])).toEqual([
      'access-2',
      'access-2',
      'access-2',
    ]);
    expect(refreshes).toEqual(['refresh-1']);
  });

  it('answers null when the provider ended the session', async () => {
    const { completeSignIn, accessToken } = await session();
    await completeSignIn(await callback('/'));
    server.use(http.post('*/identity/token', () => HttpResponse.json({ error: 'invalid_grant' }, { status: 400 })));
    server.use(http.get('*/identity/authorize', () => HttpResponse.json({ error: 'login_required' })));
    expect(await accessToken()).toBeNull();
  });
});
