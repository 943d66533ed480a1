import { UnstyledButton } from '@mantine/core';
import { useConfig } from '@portage/frame';
import {
  type Icon,
  IconCalendarEvent,
  IconId,
  IconLogin2,
  IconLogout,
  IconSettings,
  IconUser,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { signIn, signOut, useSession } from '../../shell/session.ts';
import classes from './account-layout.module.css';

const own: {
  to: '/profile' | '/profile/bookings' | '/profile/settings' | '/user-info';
  text: 'person:title' | 'shell:page.bookings' | 'shell:page.settings' | 'shell:page.userInfo';
  icon: Icon;
}[] = [
  { to: '/profile', text: 'person:title', icon: IconUser },
  { to: '/profile/bookings', text: 'shell:page.bookings', icon: IconCalendarEvent },
  { to: '/user-info', text: 'shell:page.userInfo', icon: IconId },
  { to: '/profile/settings', text: 'shell:page.settings', icon: IconSettings },
];

// pages that stand alone; listed so that a demonstration can show every one of them
const alone = ['/signin', '/signup', '/forgotpassword', '/resetpassword', '/404', '/500'] as const;

/** The menu of the person's own pages. */
export function AccountNav() {
  const { t } = useTranslation(['account', 'common', 'person', 'shell']);
  const session = useSession();
  const config = useConfig();
  return (
    <nav className={classes['nav']} aria-label={t('account:label')}>
      <ul>
        {own.map(({ to, text, icon: Glyph }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/profile' }} className={classes['item']}>
              <Glyph size={20} stroke={1.75} aria-hidden />
              {t(text)}
            </Link>
          </li>
        ))}
        <li>
          {session.status === 'signedIn' ? (
            <UnstyledButton className={classes['item'] ?? ''} onClick={() => void signOut()}>
              <IconLogout size={20} stroke={1.75} aria-hidden />
              {t('common:action.signOut')}
            </UnstyledButton>
          ) : (
            <UnstyledButton className={classes['item'] ?? ''} onClick={() => void signIn()}>
              <IconLogin2 size={20} stroke={1.75} aria-hidden />
              {t('common:action.signIn')}
            </UnstyledButton>
          )}
        </li>
      </ul>
      {config?.mode === 'demo' ? (
        <details className={classes['alone']}>
          <summary>{t('account:alone')}</summary>
          <ul>
            {alone.map((path) => (
              <li key={path}>
                <Link to={path}>{path.slice(1)}</Link>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </nav>
  );
}
