import { Button } from '@mantine/core';
import { asProblem } from '@portage/api';
import { ErrorState, PageHeading } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { Header } from './header.tsx';
import classes from './layout.module.css';

/** A page that failed while loading or drawing. The draft is in storage, so trying again loses nothing. */
export function RouteErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation();
  // an exception of our own has no status; it reads like a failure of ours, not of the person's network
  const problem = asProblem(error);
  const failure =
    problem.code === 'network' && navigator.onLine ? { status: 500, detail: '', requestId: null } : problem;
  return (
    <>
      <Header />
      <main id="content" className={classes['single']}>
        <PageHeading title={t('page.loadFailed')} />
        <ErrorState failure={failure} title={t('page.persists')} onRetry={reset} />
        <p style={{ marginTop: 20 }}>
          <Button variant="default" component={Link} to="/">
            {t('action.backHome')}
          </Button>
        </p>
      </main>
    </>
  );
}
