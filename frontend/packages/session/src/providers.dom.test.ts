import { forgetServerClock, noteServerTime } from '@portage/api';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { relayFrameCallback } from './oidc.ts';
import { callback, claims, idToken, newSession, server, world } from './test/session-world.ts';

describe('silent sign-in at a provider of another origin', () => {
  const elsewhere = 'https://id.example.test';
  beforeEach(() => {
    world.session = newSession({ issuer: elsewhere });
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
    world.nonce = request.searchParams.get('nonce') ?? '';
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
    const restored = world.session.restoreSession();
    await framed();
    expect(new URL(frame()?.src ?? '').searchParams.get('prompt')).toBe('none');
    expect(frame()?.hidden).toBe(true);
    answer();
    await restored;
    expect(world.session.current()).toMatchObject({ status: 'signedIn', user: { sub: 'user-1' } });
    expect(await world.session.accessToken()).toBe('from-frame');
    expect(frame()).toBeNull();
  });

  it('takes no answer of another origin or window', async () => {
    const restored = world.session.restoreSession();
    await framed();
    answer({ origin: 'https://evil.example.test' });
    answer({ source: window });
    expect(frame()).not.toBeNull();
    expect(world.session.current().status).toBe('restoring');
    answer();
    await restored;
    expect(world.session.current().status).toBe('signedIn');
  });

  it('is nobody when the provider knows of no session, and takes the frame away', async () => {
    const restored = world.session.restoreSession();
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
    expect(world.session.current()).toMatchObject({ status: 'anonymous', user: null });
    expect(frame()).toBeNull();
    expect(localStorage.getItem('portage.session')).toBeNull();
  });

  it('gives up on a frame that never answers, takes it away, and signs nobody out for it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const restored = world.session.restoreSession();
      await vi.waitFor(() => expect(frame()?.src).toContain(`${elsewhere}/authorize`));
      await vi.advanceTimersByTimeAsync(10_000);
      await restored;
    } finally {
      vi.useRealTimers();
    }
    expect(frame()).toBeNull();
    expect(world.session.current()).toMatchObject({ status: 'anonymous', unreached: true });
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
  const external = (consent: boolean) => newSession({ audience, signIn: { provider: 'external', consent } });
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
    const asked = Object.fromEntries(new URL(world.left.at(-1) ?? '').searchParams);
    expect(asked).toMatchObject({ audience, resource: audience, prompt: 'consent' });
    await external(false).signIn('/payment');
    expect(new URL(world.left.at(-1) ?? '').searchParams.has('prompt')).toBe(false);
    await world.session.signIn('/payment');
    const embedded = new URL(world.left.at(-1) ?? '').searchParams;
    expect([embedded.has('resource'), embedded.has('prompt')]).toEqual([false, false]);
  });

  it('tells the API who signed in: by the ID token, and by a token that userinfo takes', async () => {
    world.session = external(true);
    world.known = 'ana@example.test';
    await world.session.completeSignIn(await callback('/payment'));
    expect(world.handed.map((proof) => proof.accessToken)).toEqual([undefined]);
    world.known = null;
    world.handed = [];
    resources.length = 0;
    await world.session.completeSignIn(await callback('/payment'));
    expect(world.handed.map((proof) => proof.accessToken)).toEqual([undefined, 'access-2']);
    expect(resources).toEqual([audience, null]);
    // the refresh token that was renewed on the way is the one that counts now
    await world.session.renew();
    expect(world.refreshes.at(-1)).toBe('refresh-2');
    expect(resources.at(-1)).toBe(audience);
  });

  it('ends its session itself, on a page of its own', async () => {
    world.session = external(false);
    await world.session.completeSignIn(await callback('/payment'));
    await world.session.signOut();
    const url = new URL(world.left.at(-1) ?? '');
    expect([url.pathname, url.searchParams.get('post_logout_redirect_uri')]).toEqual([
      '/identity/end',
      `${location.origin}/`,
    ]);
    expect(localStorage.getItem('portage.session.left')).toBeNull();
  });

  it('signs people in although the API cannot be told', async () => {
    world.session = external(true);
    server.use(
      http.post('*/identity/token', () => HttpResponse.json({ error: 'invalid_target' }, { status: 400 }), {
        once: false,
      }),
    );
    await expect(world.session.completeSignIn(await callback('/payment'))).rejects.toThrow('invalid_target');
    server.resetHandlers();
    await world.session.completeSignIn(await callback('/payment'));
    expect(world.session.current().status).toBe('signedIn');
  });

  it('is asked by the page itself where a frame gets no cookies, once, and a no leads back as nobody', async () => {
    world.session = external(true);
    const url = await callback('/bookings?page=2', { error: 'login_required' });
    await expect(world.session.completeSignIn(url)).rejects.toThrow('login_required');
    const silent = JSON.stringify({ verifier: 'v', nonce: 'n', returnTo: '/bookings?page=2', silent: true });
    sessionStorage.setItem('portage.oidc.s-1', silent);
    localStorage.setItem('portage.session', '1');
    const no = new URL('/callback?error=login_required&state=s-1', location.origin);
    expect(await world.session.completeSignIn(no)).toBe('/bookings?page=2');
    expect(world.session.current()).toEqual({ status: 'anonymous', user: null });
    expect(localStorage.getItem('portage.session')).toBeNull();
  });
});

describe('the end of a token', () => {
  afterEach(forgetServerClock);
  const day = 24 * 60 * 60_000;
  /** The token endpoint answers by a clock, with a token that ends so many seconds later. */
  const answers = (headers: Record<string, string>, end: number) =>
    server.use(
      http.post('*/identity/token', () =>
        HttpResponse.json(
          { access_token: 'by-clock', expires_in: 900, id_token: idToken({ ...claims(), exp: end / 1000 }) },
          { headers },
        ),
      ),
    );
  const clock = (at: number) => ({ 'Portage-Clock': new Date(at).toISOString(), Date: new Date().toUTCString() });

  it.each([
    ['behind', -9 * day],
    ['ahead of', 9 * day],
  ])('is compared with the clock of a demonstration that is %s the machine', async (_, apart) => {
    const at = Date.now() + apart;
    answers(clock(at), at + 300_000);
    expect(await world.session.completeSignIn(await callback('/payment'))).toBe('/payment');
    answers(clock(at), at - 120_000);
    await expect(world.session.completeSignIn(await callback('/'))).rejects.toMatchObject({ message: 'exp' });
  });

  it('is compared with the clock of its own provider, whatever time it is to the program', async () => {
    noteServerTime(new Response(null, { headers: clock(Date.now() + 9 * day) }));
    answers({ Date: new Date().toUTCString() }, Date.now() + 300_000);
    expect(await world.session.completeSignIn(await callback('/payment'))).toBe('/payment');
    answers({ Date: new Date().toUTCString() }, Date.now() - 120_000);
    await expect(world.session.completeSignIn(await callback('/'))).rejects.toMatchObject({ message: 'exp' });
  });

  it('is there', async () => {
    answers(clock(Date.now()), Number.NaN);
    await expect(world.session.completeSignIn(await callback('/'))).rejects.toMatchObject({ message: 'exp' });
  });
});
