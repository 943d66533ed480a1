import { SkipLink } from '@portage/frame';
import { Toasts } from '@portage/kit/desk/toasts';
import { SignTroubleDialog } from '@portage/session';
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';

import { session } from './shell/session.ts';

/** Everything around the page: skip link, notices, dialogs of the session. */
export function Root() {
  return (
    <>
      <SkipLink />
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
      <Toasts />
      <SignTroubleDialog session={session} />
    </>
  );
}
