import { mockConfig } from '@portage/mock-api';
import { delay, http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { relayFrameCallback } from './oidc.ts';
import { createSession, type Session } from './session.ts';

const issuer = `${location.origin}/identity`;
const encode = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
const idToken = (claims: object) => `${encode({ alg: 'ES256' })}.${encode(claims)}.signature`;

let nonce = '';
let refreshes: string[] = [];
let session: Session;
/** Addresses that the page was left for, and what the app was told. */
let left: string[] = [];
let told: string[] = [];
/** What the API was handed, and the address it then knows of an ID token alone. */
let handed: { idToken: string; accessToken?: string }[] = [];
let known: string | null = null;
const handOver = (proof: { idToken: string; accessToken?: string }) => {
  handed.push(proof);
  return Promise.resolve(proof.accessToken ? 'ana@example.test' : known);
};
const claims = () => ({
  iss: issuer,
  aud: 'portage-web',
  sub: 'user-1',
  email: 'ana@example.test',
  exp: Date.now() / 1000 + 300,
  nonce,
});

const server = setupServer(
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
  sessionStorage.clear();
  localStorage.clear();
  refreshes = [];
  left = [];
  told = [];
  handed = [];
  known = null;
  session = createSession({
    config: () => Promise.resolve({ ...mockConfig, issuer }),
    callbackPath: '/callback',
    home: '/',
    storage: { local: () => localStorage, session: () => sessionStorage },
    handOver,
    leave: (url) => left.push(url),
    onEnd: () => told.push('ended'),
    onSignOut: () => told.push('signedOut'),
  });
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** Starts a sign-in the way the app does and answers as the provider would. */
async function callback(returnTo: string, answer: Record<string, string> = { code: 'c-1' }): Promise<URL> {
  await session.signIn(returnTo);
  const request = new URL(left.at(-1) ?? '');
  nonce = request.searchParams.get('nonce') ?? '';
  const url = new URL('/callback', location.origin);
  url.searchParams.set('state', request.searchParams.get('state') ?? '');
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return url;
}

describe('authorization request', () => {
  it('asks for a code with PKCE S256, offline access and the language', async () => {
    await session.signIn('/payment');
    const url = new URL(left.at(-1) ?? '');
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
    const { completeSignIn } = session;
    expect(await completeSignIn(await callback('/payment'))).toBe('/payment');
    expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toMatch(
      /access-1|refresh-1/,
    );
  });

  it('never returns to another site', async () => {
    const { completeSignIn } = session;
    expect(await completeSignIn(await callback('//evil.example/x'))).toBe('/');
  });

  it('refuses a state it did not make, a state used twice, and a wrong nonce', async () => {
    const { completeSignIn } = session;
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
    const { completeSignIn } = session;
    await expect(completeSignIn(await callback('/', { error: 'access_denied' }))).rejects.toMatchObject({
      code: 'access_denied',
    });
  });
});

describe('a sign-in whose answer was lost', () => {
  const returnTo = () =>
    (JSON.parse(String(Object.entries(sessionStorage).at(-1)?.[1])) as { returnTo: string }).returnTo;
  const pendings = () => Object.keys(sessionStorage).filter((key) => key.startsWith('portage.oidc.')).length;

  it('leads to the same place when it is begun anew, also after a reload of the callback page', async () => {
    const url = await callback('/payment?edit=b-1');
    server.use(http.post('*/identity/token', () => HttpResponse.error(), { once: true }));
    await expect(session.completeSignIn(url)).rejects.toThrow('Failed to fetch');
    // the code may have been used: it is not sent again
    await expect(session.completeSignIn(url)).rejects.toMatchObject({ code: 'unknown_state' });
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('verifier');
    left = [];
    await session.signInAgain(url);
    expect(left).toHaveLength(1);
    const state = new URL(left[0] ?? '').searchParams.get('state') ?? '';
    expect(JSON.parse(sessionStorage.getItem(`portage.oidc.${state}`) ?? '{}')).toMatchObject({
      returnTo: '/payment?edit=b-1',
    });
  });

  it('keeps nothing of one that has succeeded', async () => {
    const url = await callback('/payment');
    await session.completeSignIn(url);
    expect(pendings()).toBe(0);
  });

  it.each(['/callback?code=x&state=y', '/callback', 'https://evil.example/', '/\\evil.example', '/\t/evil.example'])(
    'never leads back to %j',
    async (path) => {
      await session.signIn(path);
      expect(returnTo()).toBe('/');
      sessionStorage.setItem('portage.oidc.s-9', JSON.stringify({ verifier: 'v', nonce, returnTo: path }));
      expect(await session.completeSignIn(new URL('/callback?code=c&state=s-9', location.origin))).toBe('/');
    },
  );

  it('leads home from an answer that nobody here has asked for', async () => {
    await session.signInAgain(new URL('/callback?code=x&state=y', location.origin));
    expect(returnTo()).toBe('/');
  });
});

describe('signing out', () => {
  /** What the server answers, in order; then 204. */
  const ends = (...answers: (() => Response)[]) => {
    const asked: string[] = [];
    server.use(
      http.post('*/identity/api/sign-out', () => {
        asked.push('ended');
        return answers.shift()?.() ?? new HttpResponse(null, { status: 204 });
      }),
    );
    return asked;
  };
  const busy = () => new HttpResponse('busy', { status: 503 });

  it('leaves the page only when the server has ended its session', async () => {
    await session.completeSignIn(await callback('/'));
    left = [];
    const asked = ends(busy);
    await session.signOut();
    expect(told).toEqual(['signedOut']);
    expect(left).toEqual([]);
    expect(session.signTrouble.current()?.kind).toBe('signOut');
    await session.signTrouble.current()?.again();
    expect(asked).toHaveLength(2);
    expect(left).toEqual(['/']);
    expect(session.signTrouble.current()).toBeNull();
    expect(localStorage.getItem('portage.session.left')).toBeNull();
  });

  it('lets nobody in without a password while it is not finished', async () => {
    await session.completeSignIn(await callback('/'));
    left = [];
    const asked = ends(busy, () => HttpResponse.error() as Response, busy);
    await session.signOut();
    session.signTrouble.tell(null);
    await session.signIn('/profile');
    expect(left).toEqual([]);
    expect(session.signTrouble.current()?.kind).toBe('signOut');
    // a page that is loaded later finishes it
    await session.restoreSession();
    await expect.poll(() => asked.length).toBe(3);
    await session.restoreSession();
    await expect.poll(() => localStorage.getItem('portage.session.left')).toBeNull();
    await session.signIn('/profile');
    expect(asked).toHaveLength(4);
    expect(new URL(left[0] ?? '').pathname).toBe('/identity/authorize');
  });

  it('does not end the session of whoever has given a password since', async () => {
    const asked = ends(busy);
    await session.signOut();
    session.welcome();
    await session.signIn('/profile');
    expect(asked).toHaveLength(1);
    expect(left).toHaveLength(1);
  });
});

describe('renewal', () => {
  it('runs once for many callers and replaces the rotated token', async () => {
    const { completeSignIn, accessToken } = session;
    await completeSignIn(await callback('/'));
    expect(await Promise.all([accessToken(), accessToken(), accessToken()])).toEqual([
      'access-2',
      'access-2',
      'access-2',
    ]);
    expect(refreshes).toEqual(['refresh-1']);
  });

  it('answers null when the provider ended the session', async () => {
    const { completeSignIn, accessToken } = session;
    await completeSignIn(await callback('/'));
    server.use(http.post('*/identity/token', () => HttpResponse.json({ error: 'invalid_grant' }, { status: 400 })));
    server.use(http.get('*/identity/authorize', () => HttpResponse.json({ error: 'login_required' })));
    expect(await accessToken()).toBeNull();
    expect(told).toEqual(['ended']);
  });
});

describe('silent sign-in at a provider of another origin', () => {
  const elsewhere = 'https://id.example.test';
  beforeEach(() => {
    session = createSession({
      config: () => Promise.resolve({ ...mockConfig, issuer: elsewhere }),
      callbackPath: '/callback',
      home: '/',
      storage: { local: () => localStorage, session: () => sessionStorage },
      handOver,
      leave: (url) => left.push(url),
      onEnd: () => told.push('ended'),
      onSignOut: () => told.push('signedOut'),
    });
    localStorage.setItem('portage.session', '1');
    server.use(
      http.get(`${elsewhere}/.well-known/openid-configuration`, () =>
        HttpResponse.json({
          issuer: elsewhere,
          authorization_endpoint: `${elsewhere}/authorize`,
          token_endpoint: `${elsewhere}/token`,
        }),
      ),
      http.post(`${elsewhere}/token`, () =>
        HttpResponse.json({
          access_token: 'from-frame',
          expires_in: 3600,
          id_token: idToken({ ...claims(), iss: elsewhere }),
        }),
      ),
    );
  });
  const frame = () => document.querySelector('iframe');
  /** What the callback page in the frame does with the provider's answer. */
  const answer = (change: { origin?: string; source?: Window | null } = {}) => {
    const request = new URL(frame()?.src ?? '');
    nonce = request.searchParams.get('nonce') ?? '';
    const data = `${location.origin}/callback?code=c-1&state=${request.searchParams.get('state')}`;
    dispatchEvent(
      new MessageEvent('message', {
        data,
        origin: change.origin ?? location.origin,
        source: 'source' in change ? (change.source ?? null) : (frame()?.contentWindow ?? null),
      }),
    );
  };
  const framed = async () => {
    await expect.poll(() => frame()?.src).toContain(`${elsewhere}/authorize`);
  };

  it('takes the answer of its own hidden frame, and takes the frame away', async () => {
    const restored = session.restoreSession();
    await framed();
    expect(new URL(frame()?.src ?? '').searchParams.get('prompt')).toBe('none');
    expect(frame()?.hidden).toBe(true);
    answer();
    await restored;
    expect(session.current()).toMatchObject({ status: 'signedIn', user: { sub: 'user-1' } });
    expect(await session.accessToken()).toBe('from-frame');
    expect(frame()).toBeNull();
  });

  it('takes no answer of another origin or window', async () => {
    const restored = session.restoreSession();
    await framed();
    answer({ origin: 'https://evil.example.test' });
    answer({ source: window });
    expect(frame()).not.toBeNull();
    expect(session.current().status).toBe('restoring');
    answer();
    await restored;
    expect(session.current().status).toBe('signedIn');
  });

  it('is nobody when the provider knows of no session, and takes the frame away', async () => {
    const restored = session.restoreSession();
    await framed();
    const state = new URL(frame()?.src ?? '').searchParams.get('state');
    dispatchEvent(
      new MessageEvent('message', {
        data: `${location.origin}/callback?error=login_required&state=${state}`,
        origin: location.origin,
        source: frame()?.contentWindow ?? null,
      }),
    );
    await restored;
    expect(session.current()).toMatchObject({ status: 'anonymous', user: null });
    expect(frame()).toBeNull();
    expect(localStorage.getItem('portage.session')).toBeNull();
  });

  it('gives up on a frame that never answers, takes it away, and signs nobody out for it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const restored = session.restoreSession();
      await vi.waitFor(() => expect(frame()?.src).toContain(`${elsewhere}/authorize`));
      await vi.advanceTimersByTimeAsync(10_000);
      await restored;
    } finally {
      vi.useRealTimers();
    }
    expect(frame()).toBeNull();
    expect(session.current()).toMatchObject({ status: 'anonymous', unreached: true });
    expect(localStorage.getItem('portage.session')).toBe('1');
  });
});

describe('the callback page in a hidden frame', () => {
  it('is told from a page of its own', () => {
    expect(relayFrameCallback('/callback')).toBe(false);
  });

  it('passes its address on to the page around it, and to no other origin', () => {
    const around = { postMessage: vi.fn() };
    vi.spyOn(window, 'parent', 'get').mockReturnValue(around as unknown as Window);
    history.replaceState(null, '', '/callback?code=c-1');
    expect(relayFrameCallback('/callback')).toBe(true);
    expect(around.postMessage).toHaveBeenCalledExactlyOnceWith(`${location.origin}/callback?code=c-1`, location.origin);
    history.replaceState(null, '', '/');
    expect(relayFrameCallback('/callback')).toBe(false);
    vi.restoreAllMocks();
  });
});

describe('an external provider', () => {
  const audience = 'https://api.movers.test';
  const external = (consent: boolean) =>
    createSession({
      config: () => Promise.resolve({ ...mockConfig, issuer, audience, signIn: { provider: 'external', consent } }),
      callbackPath: '/callback',
      home: '/',
      storage: { local: () => localStorage, session: () => sessionStorage },
      handOver,
      leave: (url) => left.push(url),
      onEnd: () => told.push('ended'),
      onSignOut: () => told.push('signedOut'),
    });
  /** Resources that tokens were asked for, in order. */
  const resources: (string | null)[] = [];
  beforeEach(() => {
    resources.length = 0;
    server.events.on('request:start', async ({ request }) => {
      if (!request.url.endsWith('/token')) return;
      resources.push(new URLSearchParams(await request.clone().text()).get('resource'));
    });
  });
  afterEach(() => server.events.removeAllListeners());

  it('is asked for our resource, and for consent where refresh tokens need it', async () => {
    await external(true).signIn('/payment');
    const asked = Object.fromEntries(new URL(left.at(-1) ?? '').searchParams);
    expect(asked).toMatchObject({ audience, resource: audience, prompt: 'consent' });
    await external(false).signIn('/payment');
    expect(new URL(left.at(-1) ?? '').searchParams.has('prompt')).toBe(false);
    await session.signIn('/payment');
    const embedded = new URL(left.at(-1) ?? '').searchParams;
    expect([embedded.has('resource'), embedded.has('prompt')]).toEqual([false, false]);
  });

  it('tells the API who signed in: by the ID token, and by a token that userinfo takes', async () => {
    session = external(true);
    known = 'ana@example.test';
    await session.completeSignIn(await callback('/payment'));
    expect(handed.map((proof) => proof.accessToken)).toEqual([undefined]);
    known = null;
    handed = [];
    resources.length = 0;
    await session.completeSignIn(await callback('/payment'));
    expect(handed.map((proof) => proof.accessToken)).toEqual([undefined, 'access-2']);
    expect(resources).toEqual([audience, null]);
    // the refresh token that was renewed on the way is the one that counts now
    await session.renew();
    expect(refreshes.at(-1)).toBe('refresh-2');
    expect(resources.at(-1)).toBe(audience);
  });

  it('ends its session itself, on a page of its own', async () => {
    session = external(false);
    await session.completeSignIn(await callback('/payment'));
    await session.signOut();
    const url = new URL(left.at(-1) ?? '');
    expect([url.pathname, url.searchParams.get('post_logout_redirect_uri')]).toEqual([
      '/identity/end',
      `${location.origin}/`,
    ]);
    expect(localStorage.getItem('portage.session.left')).toBeNull();
  });

  it('signs people in although the API cannot be told', async () => {
    session = external(true);
    server.use(
      http.post('*/identity/token', () => HttpResponse.json({ error: 'invalid_target' }, { status: 400 }), {
        once: false,
      }),
    );
    await expect(session.completeSignIn(await callback('/payment'))).rejects.toThrow('invalid_target');
    server.resetHandlers();
    await session.completeSignIn(await callback('/payment'));
    expect(session.current().status).toBe('signedIn');
  });

  it('is asked by the page itself where a frame gets no cookies, once, and a no leads back as nobody', async () => {
    session = external(true);
    const url = await callback('/bookings?page=2', { error: 'login_required' });
    await expect(session.completeSignIn(url)).rejects.toThrow('login_required');
    const silent = JSON.stringify({ verifier: 'v', nonce: 'n', returnTo: '/bookings?page=2', silent: true });
    sessionStorage.setItem('portage.oidc.s-1', silent);
    localStorage.setItem('portage.session', '1');
    const no = new URL('/callback?error=login_required&state=s-1', location.origin);
    expect(await session.completeSignIn(no)).toBe('/bookings?page=2');
    expect(session.current()).toEqual({ status: 'anonymous', user: null });
    expect(localStorage.getItem('portage.session')).toBeNull();
  });
});
