import { CompanyLogo, useCompanyName } from '@portage/frame';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { HeaderMenu } from './header-menu.tsx';
import classes from './header.module.css';

/** Logo to the start page, whatever the layout puts at the other end, and the menu. */
export function Header({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('shell');
  return (
    <header className={classes['root']}>
      <div className={classes['inner']}>
        <Link to="/" className={classes['logo']} aria-label={t('home', { name: useCompanyName() })}>
          <CompanyLogo />
        </Link>
        <div className={classes['end']}>
          {children}
          <HeaderMenu />
        </div>
      </div>
    </header>
  );
}
