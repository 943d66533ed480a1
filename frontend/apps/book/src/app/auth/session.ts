import { useSyncExternalStore } from 'react';

import { forgetAnswers, forgetPerson } from './forget.ts';
import { leaveFor } from '../leave.ts';
import {
  authorizationUrl,
  endSessionUrl,
  type IdClaims,
  isRefusal,
  OidcError,
  redeem,
  refresh,
  silentTokens,
  type Tokens,
} from './oidc.ts';
import { tellSignTrouble } from './sign-trouble.ts';

/**
 * `restoring` while a former session is being looked for after a page load. `ended` when there was one on this page and it
 * is over although nobody signed out here; `unreached` when a former session could not be asked after.
 */
export type SessionState =
  | { status: 'restoring'; user: null }
  | { status: 'anonymous'; user: null; ended?: boolean; unreached?: boolean }
  | { status: 'signedIn'; user: IdClaims };

// The hint says only that this browser once signed in; tokens never leave memory.
const hintKey = 'portage.session';
/** Passes through local storage to tell the other tabs: `ended` or `signedOut`. */
const overKey = 'portage.session.over';

let tokens: Tokens | null = null;
let state: SessionState = { status: 'anonymous', user: null };
let restoring: Promise<void> | null = null;
let refreshing: Promise<string | null> | null = null;
const listeners = new Set<() => void>();

function hint(): boolean {
  try {
    return localStorage.getItem(hintKey) !== null;
  } catch {
    return false;
  }
}

function setHint(on: boolean): void {
  try {
    if (on) localStorage.setItem(hintKey, '1');
    else localStorage.removeItem(hintKey);
  } catch {
    // without storage every page load starts signed out
  }
}

function publish(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function accept(next: Tokens): void {
  tokens = next;
  setHint(true);
  publish({ status: 'signedIn', user: next.claims });
}

function drop(): void {
  tokens = null;
  setHint(false);
  if (state.status !== 'anonymous' || state.ended || state.unreached) publish({ status: 'anonymous', user: null });
}

/** The session is over although nobody signed out here: the page must not go on as if it were not. The draft stays. */
function end(): void {
  const was = state.status === 'signedIn';
  tokens = null;
  setHint(false);
  forgetAnswers();
  if (was) publish({ status: 'anonymous', user: null, ended: true });
}

function tellOtherTabs(how: 'ended' | 'signedOut'): void {
  try {
    localStorage.setItem(overKey, how);
    localStorage.removeItem(overKey);
  } catch {
    // the other tabs then find out by their next call
  }
}

addEventListener('storage', (event) => {
  if (event.key === overKey && event.newValue === 'ended') end();
  if (event.key === overKey && event.newValue === 'signedOut') {
    drop();
    forgetPerson();
    leaveFor('/');
  }
  // signed in again elsewhere: this tab need not ask
  if (event.key === hintKey && event.newValue !== null && state.status === 'anonymous') void restoreSession();
});

// a page out of the back-forward cache has heard nothing of what happened meanwhile
addEventListener('pageshow', (event) => {
  if (event.persisted && state.status === 'signedIn' && !hint()) leaveFor('/');
});

/** Looks for the provider's session after a page load; quiet whatever the outcome. */
export function restoreSession(): Promise<void> {
  if (!hint() || tokens || restoring) return restoring ?? Promise.resolve();
  publish({ status: 'restoring', user: null });
  restoring = silentTokens()
    .then(accept)
    .catch((error: unknown) => {
      // only the provider's own "no" forgets the hint: being offline is not being signed out
      if (isRefusal(error)) drop();
      else publish({ status: 'anonymous', user: null, unreached: true });
    })
    .finally(() => {
      restoring = null;
    });
  return restoring;
}

/** One renewal at a time: the refresh token rotates, and using it twice would end the session. */
export function renew(): Promise<string | null> {
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
    next = await refresh(former);
  } catch (error) {
    if (!(error instanceof OidcError)) {
      // The answer may be lost after the token was taken, and a token used twice ends the session: the next try asks
      // the provider's own session instead.
      spent = former;
      throw error;
    }
    try {
      next = await silentTokens();
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
export async function accessToken(): Promise<string | null> {
  if (restoring) await restoring;
  if (!tokens) return null;
  if (tokens.expiresAt - Date.now() > 30_000) return tokens.accessToken;
  return renew();
}

/** A full redirect; the draft is in storage already. Never rejects: a provider that cannot be reached is told in words. */
export async function signIn(returnTo: string = location.pathname + location.search, screen?: 'signup'): Promise<void> {
  let url: string;
  try {
    url = await authorizationUrl(returnTo, screen ? { screen_hint: screen } : {});
  } catch (error) {
    console.debug('sign-in could not begin', error);
    tellSignTrouble({ kind: 'signIn', again: () => signIn(returnTo, screen) });
    return;
  }
  tellSignTrouble(null);
  leaveFor(url);
}

/** Finishes a sign-in on /callback; answers where the person was going. */
export async function completeSignIn(callback: URL): Promise<string> {
  const { tokens: next, returnTo } = await redeem(callback);
  accept(next);
  return returnTo.startsWith('/') && !returnTo.startsWith('//') ? returnTo : '/';
}

/** Things to undo before the tokens go, such as the chat thread of a shared computer. */
export const beforeSignOut = new Set<() => void>();

/** Signs out here, in the other tabs and at the provider, and leaves nothing of the person on this device. */
export async function signOut(): Promise<void> {
  for (const undo of beforeSignOut) {
    try {
      undo();
    } catch (error) {
      console.error(error);
    }
  }
  const idToken = tokens?.idToken ?? null;
  drop();
  tellOtherTabs('signedOut');
  forgetPerson();
  await leaveProvider(idToken);
}

/** Ends the provider's own session: without that, the next person here would be signed in again without a password. */
async function leaveProvider(idToken: string | null): Promise<void> {
  let url: string | null;
  try {
    url = await endSessionUrl(idToken);
  } catch (error) {
    console.debug('the provider could not be reached', error);
    tellSignTrouble({ kind: 'signOut', again: () => leaveProvider(idToken) });
    return;
  }
  tellSignTrouble(null);
  leaveFor(url ?? '/');
}

/** The API or the provider refused what could not be renewed: the session is over here and in the other tabs. */
export function sessionEnded(): void {
  if (state.status !== 'signedIn') return;
  end();
  tellOtherTabs('ended');
}

/** The person has read that the session has ended. */
export function dismissEnded(): void {
  if (state.status === 'anonymous') publish({ status: 'anonymous', user: null });
}

export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** Test seam: a session without a provider. */
export function setSessionForTest(next: Tokens | null): void {
  if (next) accept(next);
  else drop();
}
