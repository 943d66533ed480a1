import { handOverIdentity, leaveFor, loadConfig } from '@portage/frame';
import { createSession } from '@portage/session';

import { forgetAnswers, forgetPerson } from './forget.ts';

/** Path of the page that the identity provider sends people back to. */
export const callbackPath = '/callback';

export const session = createSession({
  config: loadConfig,
  callbackPath,
  home: '/',
  storage: { local: () => localStorage, session: () => sessionStorage },
  handOver: handOverIdentity,
  leave: leaveFor,
  onEnd: forgetAnswers,
  onSignOut: () => forgetPerson(account),
});

/** Who is signed in, or has just signed out: what is kept for other accounts stays. */
let account: string | null = null;
session.subscribe(() => {
  const { user, ...state } = session.current();
  if (!('signedOut' in state && state.signedOut)) account = user?.sub ?? null;
});

export const {
  accessToken,
  beforeSignOut,
  forgetProviderForTest,
  renew,
  restoreSession,
  sessionEnded,
  setSessionForTest,
  signIn,
  signOut,
  useSession,
} = session;
