import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';

import { callback, server, world } from './test/session-world.ts';

describe('authorization request', () => {
  it('asks for a code with PKCE S256, offline access and the language', async () => {
    await world.session.signIn('/payment');
    const url = new URL(world.left.at(-1) ?? '');
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
    expect(url.searchParams.has('login_hint')).toBe(false);
  });

  it('says who is expected to sign in', async () => {
    await world.session.signIn('/payment', undefined, 'ana@example.test');
    expect(new URL(world.left.at(-1) ?? '').searchParams.get('login_hint')).toBe('ana@example.test');
  });
});

describe('sign-in', () => {
  it('goes back to where the person was, and keeps tokens out of storage', async () => {
    const { completeSignIn } = world.session;
    expect(await completeSignIn(await callback('/payment'))).toBe('/payment');
    expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toMatch(
      /access-1|refresh-1/,
    );
  });

  it('never returns to another site', async () => {
    const { completeSignIn } = world.session;
    expect(await completeSignIn(await callback('//evil.example/x'))).toBe('/');
  });

  it('refuses a state it did not make, a state used twice, and a wrong nonce', async () => {
    const { completeSignIn } = world.session;
    await expect(completeSignIn(new URL('/callback?code=c&state=made-up', location.origin))).rejects.toMatchObject({
      code: 'unknown_state',
    });
    const url = await callback('/');
    await completeSignIn(url);
    await expect(completeSignIn(url)).rejects.toMatchObject({ code: 'unknown_state' });
    const other = await callback('/');
    world.nonce = 'not-the-one-sent';
    await expect(completeSignIn(other)).rejects.toMatchObject({ code: 'invalid_id_token' });
  });

  it('passes on the provider’s refusal', async () => {
    const { completeSignIn } = world.session;
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
    await expect(world.session.completeSignIn(url)).rejects.toThrow('Failed to fetch');
    // the code may have been used: it is not sent again
    await expect(world.session.completeSignIn(url)).rejects.toMatchObject({ code: 'unknown_state' });
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('verifier');
    world.left = [];
    await world.session.signInAgain(url);
    expect(world.left).toHaveLength(1);
    const state = new URL(world.left[0] ?? '').searchParams.get('state') ?? '';
    expect(JSON.parse(sessionStorage.getItem(`portage.oidc.${state}`) ?? '{}')).toMatchObject({
      returnTo: '/payment?edit=b-1',
    });
  });

  it('keeps nothing of one that has succeeded', async () => {
    const url = await callback('/payment');
    await world.session.completeSignIn(url);
    expect(pendings()).toBe(0);
  });

  it.each(['/callback?code=x&state=y', '/callback', 'https://evil.example/', '/\\evil.example', '/\t/evil.example'])(
    'never leads back to %j',
    async (path) => {
      await world.session.signIn(path);
      expect(returnTo()).toBe('/');
      sessionStorage.setItem('portage.oidc.s-9', JSON.stringify({ verifier: 'v', nonce: world.nonce, returnTo: path }));
      expect(await world.session.completeSignIn(new URL('/callback?code=c&state=s-9', location.origin))).toBe('/');
    },
  );

  it('leads home from an answer that nobody here has asked for', async () => {
    await world.session.signInAgain(new URL('/callback?code=x&state=y', location.origin));
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
    await world.session.completeSignIn(await callback('/'));
    world.left = [];
    const asked = ends(busy);
    await world.session.signOut();
    expect(world.told).toEqual(['signedOut']);
    expect(world.left).toEqual([]);
    expect(world.session.signTrouble.current()?.kind).toBe('signOut');
    await world.session.signTrouble.current()?.again();
    expect(asked).toHaveLength(2);
    expect(world.left).toEqual(['/']);
    expect(world.session.signTrouble.current()).toBeNull();
    expect(localStorage.getItem('portage.session.left')).toBeNull();
  });

  it('lets nobody in without a password while it is not finished', async () => {
    await world.session.completeSignIn(await callback('/'));
    world.left = [];
    const asked = ends(busy, () => HttpResponse.error() as Response, busy);
    await world.session.signOut();
    world.session.signTrouble.tell(null);
    await world.session.signIn('/profile');
    expect(world.left).toEqual([]);
    expect(world.session.signTrouble.current()?.kind).toBe('signOut');
    // a page that is loaded later finishes it
    await world.session.restoreSession();
    await expect.poll(() => asked.length).toBe(3);
    await world.session.restoreSession();
    await expect.poll(() => localStorage.getItem('portage.session.left')).toBeNull();
    await world.session.signIn('/profile');
    expect(asked).toHaveLength(4);
    expect(new URL(world.left[0] ?? '').pathname).toBe('/identity/authorize');
  });

  it('does not end the session of whoever has given a password since', async () => {
    const asked = ends(busy);
    await world.session.signOut();
    world.session.welcome();
    await world.session.signIn('/profile');
    expect(asked).toHaveLength(1);
    expect(world.left).toHaveLength(1);
  });
});

describe('renewal', () => {
  it('runs once for many callers and replaces the rotated token', async () => {
    const { completeSignIn, accessToken } = world.session;
    await completeSignIn(await callback('/'));
    expect(await Promise.all([accessToken(), accessToken(), accessToken()])).toEqual([
      'access-2',
      'access-2',
      'access-2',
    ]);
    expect(world.refreshes).toEqual(['refresh-1']);
  });

  it('answers null when the provider ended the session', async () => {
    const { completeSignIn, accessToken } = world.session;
    await completeSignIn(await callback('/'));
    server.use(http.post('*/identity/token', () => HttpResponse.json({ error: 'invalid_grant' }, { status: 400 })));
    server.use(http.get('*/identity/authorize', () => HttpResponse.json({ error: 'login_required' })));
    expect(await accessToken()).toBeNull();
    expect(world.told).toEqual(['ended']);
  });
});
