import { whenIdle } from '@portage/frame';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

import { useDraftValue } from '../draft/draft-store.ts';
import { firstMissing, pageAfter } from '../draft/steps.ts';

/** Fetches the page after this one as soon as it may be opened: who goes on without a connection for a moment has it then. */
export function useNextPage(path: string): void {
  const router = useRouter();
  const next = path === '/' ? undefined : pageAfter(path);
  // what the guidelines ask for is answered by the press that goes on
  const opens = useDraftValue((draft) => next === '/payment' || (next && firstMissing(draft, next) === null));
  useEffect(() => {
    if (!next || !opens) return;
    let here = true;
    whenIdle(() => {
      if (here) void router.preloadRoute({ to: next });
    });
    return () => {
      here = false;
    };
  }, [router, next, opens]);
}
