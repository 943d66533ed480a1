import { handOverIdentity, leaveFor, loadConfig, queryClient } from '@portage/frame';
import { createSession } from '@portage/session';

/** Path of the page that the identity provider sends people back to. */
export const callbackPath = '/dashboard/callback';

/** Drops everything that was read: nothing in the desk is everybody's. */
function forget(): void {
  queryClient.clear();
}

export const session = createSession({
  config: loadConfig,
  callbackPath,
  home: '/dashboard/',
  storage: { local: () => localStorage, session: () => sessionStorage },
  handOver: handOverIdentity,
  leave: leaveFor,
  onEnd: forget,
  onSignOut: forget,
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
