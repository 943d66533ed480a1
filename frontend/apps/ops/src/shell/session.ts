import { handOverIdentity, leaveFor, loadConfig, queryClient } from '@portage/frame';
import { createSession } from '@portage/session';

import { forgetKept } from './kept.ts';
import { forgetSeen } from './seen.ts';

/** Path of the page that the identity provider sends people back to. */
export const callbackPath = '/dashboard/callback';

/** Drops every answer of the server: at the desk, all of them are personal. */
function forgetAnswers(): void {
  queryClient.clear();
}

export const session = createSession({
  config: loadConfig,
  callbackPath,
  home: '/dashboard/',
  storage: { local: () => localStorage, session: () => sessionStorage },
  handOver: handOverIdentity,
  leave: leaveFor,
  onEnd: () => {
    forgetAnswers();
    forgetSeen();
  },
  onSignOut: () => {
    forgetAnswers();
    forgetSeen();
    forgetKept();
  },
});

export const {
  accessToken,
  forgetProviderForTest,
  renew,
  restoreSession,
  sessionEnded,
  setSessionForTest,
  signIn,
  signOut,
  useSession,
} = session;
