import { UnstyledButton } from '@mantine/core';
import { LanguageMenu, Logo, SchemeButton } from '@portage/frame';
import { IconHome, IconId, IconLogout } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { signOut } from './session.ts';
import classes from './sidebar.module.css';

/** Menu of the desk's pages; below it language, colours and sign-out. */
export function Sidebar() {
  const { t } = useTranslation(['shell', 'common', 'person']);
  return (
    <header className={classes['root']}>
      <Link to="/" className={classes['logo']} aria-label={t('shell:nav.home')}>
        <Logo />
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
