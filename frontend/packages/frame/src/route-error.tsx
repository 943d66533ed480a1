import { Button } from '@mantine/core';
import { asProblem } from '@portage/api';
import { ErrorState, LoadingState, Notice, PageHeading } from '@portage/kit';
import { useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { leaveFor } from './leave.ts';
import { forgetMissing, isPartMissing, loadNewVersion } from './new-version.ts';

interface RouteErrorProps {
  error: unknown;
  reset: () => void;
  /** Draws the app's header and page around the message. */
  renderFrame: (content: ReactNode) => ReactNode;
}

/** Shown instead of a page that failed while it was loaded or drawn. Trying again loses nothing: the draft is in storage. */
export function RouteError({ error, reset, renderFrame }: RouteErrorProps) {
  const { t } = useTranslation(['common', 'frame']);
  const here = useLocation({ select: (location) => location.publicHref });
  const partMissing = isPartMissing();
  const [leaving, setLeaving] = useState(partMissing);
  useEffect(() => {
    if (partMissing) queueMicrotask(() => setLeaving(loadNewVersion(here)));
  }, [partMissing, here]);
  const router = useRouter();
  // what failed while it was loaded is loaded again; drawing alone would throw the same error
  const again = () => {
    forgetMissing();
    void router.invalidate().then(reset);
  };
  const online = useEffectEvent(again);
  useEffect(() => {
    const listener = () => online();
    addEventListener('online', listener);
    return () => removeEventListener('online', listener);
  }, []);
  // an exception of our own has no status; it reads like a failure of ours, not of the person's network
  const problem = asProblem(error);
  const failure =
    problem.code === 'network' && navigator.onLine ? { status: 500, detail: '', requestId: null } : problem;
  if (leaving) return <LoadingState />;
  return renderFrame(
    <>
      <PageHeading title={t('page.loadFailed')} />
      {partMissing ? (
        <Notice
          tone="error"
          live
          action={
            // offline the browser would put a page of its own here
            <Button onClick={() => (navigator.onLine ? leaveFor(here) : again())}>{t('frame:page.loadAgain')}</Button>
          }
        >
          {t('frame:page.partMissing')}
        </Notice>
      ) : (
        <ErrorState failure={failure} title={t('page.persists')} onRetry={again} />
      )}
    </>,
  );
}
