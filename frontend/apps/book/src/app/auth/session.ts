import { useSyncExternalStore } from 'react';

import { leaveGuard } from '../leave-guard.ts';
import { queryClient } from '../query-client.ts';
import {
  authorizationUrl,
  endSessionUrl,
  type IdClaims,
  OidcError,
  redeem,
  refresh,
  silentTokens,
  type Tokens,
} from './oidc.ts';

/** `restoring` while a former session is being looked for after a page load. */
export type SessionState = { status: 'restoring' | 'anonymous'; user: null } | { status: 'signedIn'; user: IdClaims };

// The hint says only that this browser once signed in; tokens never leave memory.
const hintKey = 'portage.session';

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
  if (state.status !== 'anonymous') publish({ status: 'anonymous', user: null });
}

/** Looks for the provider's session after a page load; quiet whatever the outcome. */
export function restoreSession(): Promise<void> {
  if (!hint() || tokens || restoring) return restoring ?? Promise.resolve();
  publish({ status: 'restoring', user: null });
  restoring = silentTokens()
    .then(accept)
    .catch((error: unknown) => {
      // only the provider's own "no" forgets the hint: being offline is not being signed out
      if (error instanceof OidcError && error.code.endsWith('_required')) drop();
      else publish({ status: 'anonymous', user: null });
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

async function renewOnce(): Promise<string | null> {
  if (!tokens) return null;
  try {
    accept(await refresh(tokens));
  } catch (error) {
    if (!(error instanceof OidcError)) throw error; // not reached: the session may still be good
    try {
      accept(await silentTokens());
    } catch {
      return null;
    }
  }
  return tokens?.accessToken ?? null;
}

/** The bearer token for a call, renewed shortly before it ends; null when nobody is signed in. */
export async function accessToken(): Promise<string | null> {
  if (restoring) await restoring;
  if (!tokens) return null;
  if (tokens.expiresAt - Date.now() > 30_000) return tokens.accessToken;
  return renew();
}

/** A full redirect. The draft is in storage already, and the leave question would only be in the way. */
export async function signIn(returnTo: string = location.pathname + location.search, screen?: 'signup'): Promise<void> {
  const url = await authorizationUrl(returnTo, screen ? { screen_hint: screen } : {});
  leaveGuard.suspend();
  location.assign(url);
}

/** Finishes a sign-in on /callback; answers where the person was going. */
export async function completeSignIn(callback: URL): Promise<string> {
  const { tokens: next, returnTo } = await redeem(callback);
  accept(next);
  return returnTo.startsWith('/') && !returnTo.startsWith('//') ? returnTo : '/';
}

/** Things to undo before the tokens go, such as the chat thread of a shared computer. */
export const beforeSignOut = new Set<() => void>();

export async function signOut(): Promise<void> {
  for (const undo of beforeSignOut) undo();
  const idToken = tokens?.idToken ?? null;
  drop();
  queryClient.removeQueries({ predicate: (query) => query.meta?.['personal'] === true });
  const url = await endSessionUrl(idToken);
  leaveGuard.suspend();
  location.assign(url ?? '/');
}

/** The API refused a token that could not be renewed. Pages that need a session then show the sign-in question. */
export function sessionEnded(): void {
  drop();
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
