import { useSyncExternalStore } from 'react';

import {
  createProvider,
  type IdClaims,
  isRefusal,
  OidcError,
  type ProviderOptions,
  storageBlocked,
  type Tokens,
} from './oidc.ts';
import { createSignTrouble } from './sign-trouble.ts';

/**
 * `restoring` while a former session is being looked for after a page load. `ended` when there was one on this page and it
 * is over although nobody signed out here; `unreached` when a former session could not be asked after; `signedOut` while
 * the page is leaving because somebody signed out: nothing may sign in meanwhile.
 */
export type SessionState =
  | { status: 'restoring'; user: null }
  | { status: 'anonymous'; user: null; ended?: boolean; unreached?: boolean; signedOut?: boolean }
  | { status: 'signedIn'; user: IdClaims };

/** What the app gives the session, and what it wants to be told. */
export interface SessionOptions extends Omit<ProviderOptions, 'storage'> {
  /** Functions, because reading a storage that is switched off throws. */
  storage: { local: () => Storage; session: () => Storage };
  /** Hands what an external provider vouches for to the API; answers the e-mail address it knows now. */
  handOver: (proof: { idToken: string; accessToken?: string }, bearer: string) => Promise<string | null>;
  /** Leaves the page for another address. */
  leave: (url: string) => void;
  /** The session is over although nobody signed out here: what was read about the person is to be dropped. */
  onEnd: () => void;
  /** Somebody signed out, here or in another tab: nothing of the person is to stay on this device. */
  onSignOut: () => void;
}

// The hint says only that this browser once signed in; tokens never leave memory.
const hintKey = 'portage.session';
/** In session storage while the page itself asks the provider: it asks once. */
const askingKey = 'portage.session.asking';
/** In local storage from a sign-out until the provider has ended its session, too: a server may be down in between. */
const leftKey = 'portage.session.left';
/** Passes through local storage to tell the other tabs: `ended` or `signedOut`. */
const overKey = 'portage.session.over';

const here = (): string => location.pathname + location.search + location.hash;

/** Who is signed in on this page. Made once by an app; it tells when the session has ended, here and in the other tabs. */
export function createSession(options: SessionOptions) {
  const provider = createProvider({ ...options, storage: options.storage.session });
  const signTrouble = createSignTrouble();
  const tellSignTrouble = signTrouble.tell;

  let tokens: Tokens | null = null;
  let state: SessionState = { status: 'anonymous', user: null };
  let restoring: Promise<void> | null = null;
  let refreshing: Promise<string | null> | null = null;
  const listeners = new Set<() => void>();

  /** What this browser remembers between pages; `blocked` is the answer where the storage is switched off. */
  function flag(storage: () => Storage, key: string, blocked = false) {
    return {
      on: (): boolean => {
        try {
          return storage().getItem(key) !== null;
        } catch {
          return blocked;
        }
      },
      set: (on: boolean): void => {
        try {
          if (on) storage().setItem(key, '1');
          else storage().removeItem(key);
        } catch {
          // without storage every page load starts signed out
        }
      },
    };
  }
  const { on: hint, set: setHint } = flag(options.storage.local, hintKey);
  // without storage the page itself never asks
  const { on: asking, set: setAsking } = flag(options.storage.session, askingKey, true);
  const left = flag(options.storage.local, leftKey);

  function publish(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function accept(next: Tokens): void {
    tokens = next;
    setHint(true);
    setAsking(false);
    publish({ status: 'signedIn', user: next.claims });
  }

  /**
   * With an external provider the API learns who signed in, before a page asks it: from the ID token, and where that has
   * no address, from userinfo. Trouble here is no trouble with the session: pages say what is missing.
   */
  async function introduce(next: Tokens): Promise<Tokens> {
    try {
      if (!(await provider.isExternal())) return next;
      const email = await options.handOver({ idToken: next.idToken }, next.accessToken);
      if (email) return next;
      const { userinfoToken, tokens: renewed } = await provider.userinfoTokens(next);
      await options.handOver({ idToken: next.idToken, accessToken: userinfoToken }, next.accessToken);
      return renewed;
    } catch (error) {
      console.debug('the API was not told who signed in', error);
      return next;
    }
  }

  function drop(): void {
    tokens = null;
    setHint(false);
    if (state.status !== 'anonymous' || state.ended || state.unreached) publish({ status: 'anonymous', user: null });
  }

  /** Somebody signed out: until the page is left, nothing on it may take that for a reason to sign in. */
  function dropSignedOut(): void {
    tokens = null;
    setHint(false);
    publish({ status: 'anonymous', user: null, signedOut: true });
  }

  /** The session is over although nobody signed out here: the page must not go on as if it were not. The draft stays. */
  function end(): void {
    const was = state.status === 'signedIn';
    tokens = null;
    setHint(false);
    options.onEnd();
    if (was) publish({ status: 'anonymous', user: null, ended: true });
  }

  function tellOtherTabs(how: 'ended' | 'signedOut'): void {
    try {
      options.storage.local().setItem(overKey, how);
      options.storage.local().removeItem(overKey);
    } catch {
      // the other tabs then find out by their next call
    }
  }

  addEventListener('storage', (event) => {
    if (event.key === overKey && event.newValue === 'ended') end();
    if (event.key === overKey && event.newValue === 'signedOut') {
      dropSignedOut();
      options.onSignOut();
      options.leave(options.home);
    }
    // signed in again elsewhere: this tab need not ask
    if (event.key === hintKey && event.newValue !== null && state.status === 'anonymous') void restoreSession();
  });

  // a page out of the back-forward cache has heard nothing of what happened meanwhile
  addEventListener('pageshow', (event) => {
    if (event.persisted && state.status === 'signedIn' && !hint()) options.leave(options.home);
  });

  /** Looks for the provider's session after a page load; quiet whatever the outcome. `again` changes nothing on the page meanwhile. */
  function restoreSession(again = false): Promise<void> {
    if (left.on()) endAtProvider().catch((error: unknown) => console.debug('the former sign-out still waits', error));
    if (!hint() || tokens || restoring) return restoring ?? Promise.resolve();
    if (!again) publish({ status: 'restoring', user: null });
    restoring = provider
      .silentTokens()
      .then(introduce)
      .then(accept)
      .catch(async (error: unknown) => {
        if (!isRefusal(error)) {
          // only the provider's own "no" forgets the hint: being offline is not being signed out
          publish({ status: 'anonymous', user: null, unreached: true });
          return;
        }
        // many browsers keep another site's cookies from a frame: the page itself asks, and comes back
        if (asking() || !(await provider.isExternal())) {
          setAsking(false);
          drop();
          return;
        }
        setAsking(true);
        options.leave(await provider.authorizationUrl(here(), { prompt: 'none' }));
        await new Promise(() => undefined);
      })
      .finally(() => {
        restoring = null;
      });
    return restoring;
  }

  /** One renewal at a time: the refresh token rotates, and using it twice would end the session. */
  function renew(): Promise<string | null> {
    refreshing ??= renewOnce().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  /** Whose refresh token was sent without an answer: it is never sent again. */
  let spent: Tokens | null = null;

  async function renewOnce(): Promise<string | null> {
    const former = tokens;
    if (!former) return null;
    let next: Tokens;
    try {
      if (former === spent) throw new OidcError('refresh_token_spent');
      next = await provider.refresh(former);
    } catch (error) {
      if (!(error instanceof OidcError)) {
        // The answer may be lost after the token was taken, and a token used twice ends the session: the next try asks
        // the provider's own session instead.
        spent = former;
        throw error;
      }
      try {
        next = await provider.silentTokens();
      } catch (reason) {
        if (!isRefusal(reason)) throw reason;
        sessionEnded();
        return null;
      }
    }
    // signed out while the answer was on its way
    if (tokens !== former) return null;
    if (next.claims.sub !== former.claims.sub) {
      // somebody else has signed in meanwhile: nothing on this page is theirs
      sessionEnded();
      return null;
    }
    accept(next);
    return next.accessToken;
  }

  /** The bearer token for a call, renewed shortly before it ends; null when nobody is signed in. */
  async function accessToken(): Promise<string | null> {
    if (restoring) await restoring;
    if (!tokens) return null;
    if (tokens.expiresAt - Date.now() > 30_000) return tokens.accessToken;
    return renew();
  }

  /**
   * A full redirect; the draft is in storage already. Never rejects: a provider that cannot be reached is told in words.
   * `email` is who is expected to sign in: the provider may fill it in.
   */
  async function signIn(
    returnTo: string = location.pathname + location.search,
    screen?: 'signup',
    email?: string,
  ): Promise<void> {
    let url: string;
    try {
      // whoever signed out here must not be let in again without a password
      if (left.on()) await endAtProvider();
      url = await provider.authorizationUrl(onSite(returnTo), {
        ...(screen ? { screen_hint: screen } : {}),
        ...(email ? { login_hint: email } : {}),
      });
    } catch (error) {
      console.debug('sign-in could not begin', error);
      const storage = error instanceof OidcError && error.code === storageBlocked;
      const kind = storage ? 'storage' : left.on() ? 'signOut' : 'signIn';
      tellSignTrouble({ kind, again: () => signIn(returnTo, screen, email) });
      return;
    }
    tellSignTrouble(null);
    options.leave(url);
  }

  /** A way back of our own site. The callback page is none: its code works once, and it would only fail again. */
  function onSite(path: string): string {
    const url = path.startsWith('/') && URL.canParse(path, location.origin) ? new URL(path, location.origin) : null;
    return url?.origin === location.origin && url.pathname !== options.callbackPath ? path : options.home;
  }

  /** Finishes a sign-in on /callback; answers where the person was going. */
  async function completeSignIn(callback: URL): Promise<string> {
    try {
      const { tokens: next, returnTo } = await provider.redeem(callback);
      accept(await introduce(next));
      return onSite(returnTo);
    } catch (error) {
      if (!(error instanceof OidcError) || error.returnTo === null || !isRefusal(error)) throw error;
      // the session at the provider is over: back to the page, as nobody
      setAsking(false);
      drop();
      return onSite(error.returnTo);
    }
  }

  /** Begins the sign-in of a callback page anew, which has failed: it leads to where that one was to lead. */
  function signInAgain(callback: URL): Promise<void> {
    return signIn(provider.wayBack(callback) ?? options.home);
  }

  /** Things to undo before the tokens go, such as the chat thread of a shared computer. */
  const beforeSignOut = new Set<() => void>();

  /** Signs out here, in the other tabs and at the provider, and leaves nothing of the person on this device. */
  async function signOut(): Promise<void> {
    for (const undo of beforeSignOut) {
      try {
        undo();
      } catch (error) {
        console.error(error);
      }
    }
    const idToken = tokens?.idToken ?? null;
    dropSignedOut();
    tellOtherTabs('signedOut');
    options.onSignOut();
    await leaveProvider(idToken);
  }

  /** Ends the session of the embedded provider, and returns when it has: what an address only leads to may fail unseen. */
  async function endAtProvider(): Promise<void> {
    if (!(await provider.isExternal())) await provider.endSession();
    left.set(false);
  }

  /** Ends the provider's own session: without that, the next person here would be signed in again without a password. */
  async function leaveProvider(idToken: string | null): Promise<void> {
    let url: string | null = null;
    left.set(true);
    try {
      await endAtProvider();
      if (await provider.isExternal()) url = await provider.endSessionUrl(idToken);
    } catch (error) {
      console.debug('the provider could not be reached', error);
      tellSignTrouble({ kind: 'signOut', again: () => leaveProvider(idToken) });
      return;
    }
    tellSignTrouble(null);
    options.leave(url ?? options.home);
  }

  /** The API or the provider refused what could not be renewed: the session is over here and in the other tabs. */
  function sessionEnded(): void {
    if (state.status !== 'signedIn') return;
    end();
    tellOtherTabs('ended');
  }

  /** The person has read that the session has ended. */
  function dismissEnded(): void {
    if (state.status === 'anonymous') publish({ status: 'anonymous', user: null });
  }

  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  const current = (): SessionState => state;

  function useSession(): SessionState {
    return useSyncExternalStore(subscribe, current);
  }

  /** Test seam: a session without a provider. */
  function setSessionForTest(next: Tokens | null): void {
    if (next) accept(next);
    else drop();
  }

  return {
    subscribe,
    current,
    useSession,
    signTrouble,
    signIn,
    signOut,
    beforeSignOut,
    completeSignIn,
    signInAgain,
    /** Somebody has just given a password here: a sign-out that still waits is not theirs. */
    welcome: () => left.set(false),
    restoreSession,
    accessToken,
    renew,
    sessionEnded,
    dismissEnded,
    setSessionForTest,
    forgetProviderForTest: provider.forget,
  };
}

export type Session = ReturnType<typeof createSession>;
