import { Button } from '@mantine/core';
import { asProblem } from '@portage/api';
import { ErrorState, LoadingState, Notice, PageHeading } from '@portage/kit';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { leaveFor } from '../leave.ts';
import { isPartMissing, loadNewVersion } from '../new-version.ts';
import { Header } from './header.tsx';
import classes from './layout.module.css';

/** A page that failed while loading or drawing. The draft is in storage, so trying again loses nothing. */
export function RouteErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation();
  const here = useLocation({ select: (location) => location.href });
  const partMissing = isPartMissing();
  const [leaving, setLeaving] = useState(partMissing);
  useEffect(() => {
    if (partMissing) queueMicrotask(() => setLeaving(loadNewVersion(here)));
  }, [partMissing, here]);
  // an exception of our own has no status; it reads like a failure of ours, not of the person's network
  const problem = asProblem(error);
  const failure =
    problem.code === 'network' && navigator.onLine ? { status: 500, detail: '', requestId: null } : problem;
  if (leaving) return <LoadingState />;
  return (
    <>
      <Header />
      <main id="content" className={classes['single']}>
        <PageHeading title={t('page.loadFailed')} />
        {partMissing ? (
          <Notice tone="error" live action={<Button onClick={() => leaveFor(here)}>{t('page.loadAgain')}</Button>}>
            {t('page.partMissing')} {t('page.persists')}
          </Notice>
        ) : (
          <ErrorState failure={failure} title={t('page.persists')} onRetry={reset} />
        )}
        <p style={{ marginTop: 20 }}>
          <Button variant="default" component={Link} to="/">
            {t('action.backHome')}
          </Button>
        </p>
      </main>
    </>
  );
}
