import { Button } from '@mantine/core';
import { LanguageMenu, Logo, SchemeButton } from '@portage/frame';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import classes from './crew-layout.module.css';
import { Gate } from './gate.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { signOut } from './session.ts';

/** What stands around the pages of a mate: made for a telephone, without the menu of the desk. */
export function CrewLayout() {
  const { t } = useTranslation('common');
  return (
    <Gate crew>
      <header className={classes['top']}>
        <Link to="/my-jobs" className={classes['logo']}>
          <Logo />
        </Link>
        <div className={classes['tools']}>
          <LanguageMenu />
          <SchemeButton />
          <Button variant="default" onClick={() => void signOut()}>
            {t('action.signOut')}
          </Button>
        </div>
      </header>
      <main id="content" className={classes['root']}>
        <OfflineNotice />
        <Outlet />
      </main>
    </Gate>
  );
}
