import { CallbackPage } from '@portage/session';
import { createLazyRoute, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

import { PlainPage } from '../shell/plain-page.tsx';
import { session } from '../shell/session.ts';

function Callback() {
  const router = useRouter();
  const goOn = useCallback((returnTo: string) => router.history.replace(returnTo), [router]);
  return (
    <PlainPage>
      <CallbackPage session={session} onDone={goOn} />
    </PlainPage>
  );
}

export const Route = createLazyRoute('/callback')({ component: Callback });
