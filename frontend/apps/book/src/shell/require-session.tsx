import { Button } from '@mantine/core';
import { leadToWhatComes, LoadingState, PageHeading } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './require-session.module.css';
import { restoreSession, signIn, useSession } from './session.ts';

/** Shows its children to people who are signed in; others get the question of the specification, Back and Sign In, and the way to a new account. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['common', 'shell']);
  const session = useSession();
  if (session.status === 'signedIn') return children;
  if (session.status === 'restoring') return <LoadingState />;
  // who could not be asked after is not signed out: the notice above says so, and asks again
  if (session.unreached) {
    return (
      <>
        <PageHeading title={t('page.loadFailed')} />
        <div className={classes['actions']}>
          <Button
            onClick={(event) => {
              leadToWhatComes(event.currentTarget);
              void restoreSession();
            }}
          >
            {t('action.retry')}
          </Button>
        </div>
      </>
    );
  }
  return (
    <div className={classes['root']}>
      <PageHeading title={t('shell:loginNeeded')} lead={t('shell:loginNeededHow')} />
      <div className={classes['actions']}>
        <Button variant="default" component={Link} to="/">
          {t('shell:back')}
        </Button>
        <Button onClick={() => void signIn()}>{t('action.signIn')}</Button>
        <Button variant="default" onClick={() => void signIn(undefined, 'signup')}>
          {t('shell:createAccount')}
        </Button>
      </div>
    </div>
  );
}
