import { CallbackPage } from '@portage/session';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

import { session } from '../shell/session.ts';

function Callback() {
  const navigate = useNavigate();
  const goOn = useCallback((returnTo: string) => navigate({ href: returnTo, replace: true }), [navigate]);
  return <CallbackPage session={session} onDone={goOn} />;
}

export const Route = createLazyRoute('/site/callback')({ component: Callback });
