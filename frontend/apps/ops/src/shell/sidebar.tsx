import { UnstyledButton } from '@mantine/core';
import { LanguageMenu, SchemeButton } from '@portage/frame';
import { IconHome, IconId, IconLogout } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { signOut } from './session.ts';
import classes from './sidebar.module.css';

/** The pages of the desk, then what belongs to the person in front of it. */
export function Sidebar() {
  const { t } = useTranslation(['shell', 'common', 'frame', 'person']);
  return (
    <header className={classes['root']}>
      <Link to="/" className={classes['logo']} aria-label={t('shell:nav.home')}>
        <svg
          width="34"
          height="22"
          viewBox="0 0 30 20"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeLinecap="round"
          aria-hidden="true"
        >
          <path d="M4 14C10 14 10 6 15 6S21 14 24 14" />
          <circle cx="4" cy="14" r="2.2" fill="var(--pg-accent)" />
          <path d="M22.8 12.2h3.6v3.6h-3.6z" fill="currentColor" />
        </svg>
        <span>{t('frame:name')}</span>
      </Link>
      <nav aria-label={t('shell:nav.label')} className={classes['nav']}>
        <ul>
          <li>
            <Link to="/profile" className={classes['item']}>
              <IconId size={18} stroke={1.75} aria-hidden />
              {t('person:title')}
            </Link>
          </li>
          <li>
            <a href="/" className={classes['item']}>
              <IconHome size={18} stroke={1.75} aria-hidden />
              {t('shell:nav.site')}
            </a>
          </li>
        </ul>
      </nav>
      <div role="region" aria-label={t('common:widget.label')} className={classes['own']}>
        <LanguageMenu className={classes['tool'] ?? ''} />
        <SchemeButton className={classes['tool'] ?? ''} />
        <UnstyledButton className={classes['item'] ?? ''} onClick={() => void signOut()}>
          <IconLogout size={18} stroke={1.75} aria-hidden />
          {t('common:action.signOut')}
        </UnstyledButton>
      </div>
    </header>
  );
}
