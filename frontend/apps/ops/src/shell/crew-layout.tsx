import { Button } from '@mantine/core';
import { LanguageMenu, Logo, SchemeButton } from '@portage/frame';
import { IconLogout } from '@tabler/icons-react';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './crew-layout.module.css';
import { Gate } from './gate.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { keepShell } from './offline-shell.ts';
import { signOut } from './session.ts';

/** What stands around the pages of a mate: made for a telephone, without the menu of the desk. */
export function CrewLayout() {
  const { t } = useTranslation('common');
  const router = useRouter();
  useEffect(() => {
    // both pages are there when the signal goes
    void router.preloadRoute({ to: '/my-jobs' });
    void router.preloadRoute({ to: '/my-jobs/$id', params: { id: 'any' } });
    return keepShell();
  }, [router]);
  return (
    <Gate crew>
      <header className={classes['top']}>
        <Link to="/my-jobs" className={classes['logo']}>
          <Logo />
        </Link>
        <div className={classes['tools']}>
          <LanguageMenu />
          <SchemeButton />
          <Button variant="default" className={classes['signOut'] ?? ''} onClick={() => void signOut()}>
            <IconLogout size={18} stroke={1.75} aria-hidden />
            <span className={classes['word']}>{t('action.signOut')}</span>
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
