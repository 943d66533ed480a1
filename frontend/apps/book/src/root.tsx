import { SkipLink } from '@portage/frame';
import { SignTroubleDialog } from '@portage/session';
import { Outlet, useLocation, useMatch } from '@tanstack/react-router';
import { Suspense } from 'react';

import { useDraftValue } from './booking/draft/draft-store.ts';
import { inProgress } from './booking/draft/draft.ts';
import { EstimateProvider } from './booking/estimate/estimate-context.tsx';
import { Banners } from './shell/banners.tsx';
import { FloatingWidget } from './shell/floating-widget.tsx';
import { ReturnTo } from './shell/return-to.ts';
import { session } from './shell/session.ts';

/** Signing in leads back to a booking in the making, or else to the profile. */
function useWayBack(): string {
  const begun = useDraftValue(inProgress);
  const here = useLocation({ select: (location) => location.href });
  const inWizard = useMatch({ from: '/wizard', shouldThrow: false }) !== undefined;
  return inWizard && begun ? here : '/profile';
}

/** Everything around the page: skip link, notices, dialogs of the session. */
export function Root() {
  return (
    <ReturnTo value={useWayBack()}>
      <EstimateProvider>
        <SkipLink />
        <Banners />
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
        <FloatingWidget />
        <SignTroubleDialog session={session} />
      </EstimateProvider>
    </ReturnTo>
  );
}
