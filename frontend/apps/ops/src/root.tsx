import { SignTroubleDialog } from '@portage/session';
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './root.module.css';
import { session } from './shell/session.ts';

/** What stands around every page. */
export function Root() {
  const { t } = useTranslation('frame');
  return (
    <>
      <a href="#content" className={classes['skip']}>
        {t('skip')}
      </a>
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
      <SignTroubleDialog session={session} />
    </>
  );
}
