import { Button } from '@mantine/core';
import { chooseLanguage, languageOrder, SchemeButton } from '@portage/frame';
import { htmlLang, useLanguage } from '@portage/i18n';
import { BusyButton, useDismiss } from '@portage/kit';
import { IconCheck, IconMenu2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './header-menu.module.css';
import { useReturnTo } from './return-to.ts';
import { signIn, signOut, useSession } from './session.ts';

const own = [
  { to: '/profile', text: 'widget.profile' },
  { to: '/profile/bookings', text: 'page.bookings' },
  { to: '/user-info', text: 'page.userInfo' },
  { to: '/profile/settings', text: 'page.settings' },
] as const;

/** Where the window has no margin for the rail: account, language and colours behind one button, so that the lower edge stays the booking's. */
export function HeaderMenu() {
  const { t } = useTranslation(['common', 'shell']);
  const id = useId();
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = useCallback(() => setOpened(false), []);
  useDismiss(opened, root, close);
  useEffect(() => {
    if (opened) panel.current?.focus();
  }, [opened]);

  return (
    <div
      ref={root}
      className={classes['root']}
      // tabbing on out of the open menu closes it: it would lie over what has the focus then
      onBlur={(event) => {
        if (event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <button
        type="button"
        className={classes['button']}
        aria-label={t('shell:menu')}
        aria-expanded={opened}
        aria-controls={opened ? id : undefined}
        onClick={() => setOpened((now) => !now)}
      >
        <IconMenu2 size={24} stroke={1.75} aria-hidden />
      </button>
      {opened ? (
        <div ref={panel} id={id} role="region" aria-label={t('shell:menu')} tabIndex={-1} className={classes['panel']}>
          <Account onLeave={close} />
          <Languages />
          <div className={classes['row']}>
            <span className={classes['label']}>{t('shell:colours')}</span>
            <SchemeButton className={classes['scheme'] ?? ''} />
          </div>
        </div>
      ) : null}
    </div>
  );
}

function Account({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation(['common', 'shell']);
  const session = useSession();
  const returnTo = useReturnTo();
  if (session.status !== 'signedIn')
    return (
      <div className={classes['account']}>
        <BusyButton loading={session.status === 'restoring'} onClick={() => void signIn(returnTo)}>
          {t('action.signIn')}
        </BusyButton>
        <Button variant="default" onClick={() => void signIn(returnTo, 'signup')}>
          {t('shell:createAccount')}
        </Button>
      </div>
    );
  return (
    <ul className={classes['links']}>
      {own.map(({ to, text }) => (
        <li key={to}>
          <Link to={to} activeOptions={{ exact: to === '/profile' }} className={classes['item']} onClick={onLeave}>
            {t(`shell:${text}`)}
          </Link>
        </li>
      ))}
      <li>
        <button type="button" className={classes['item']} onClick={() => void signOut()}>
          {t('action.signOut')}
        </button>
      </li>
    </ul>
  );
}

function Languages() {
  const { t } = useTranslation(['common', 'frame']);
  const language = useLanguage();
  return (
    <div
      role="group"
      aria-label={t('frame:language.label', { language: t(`lang.${language}`) })}
      className={classes['row']}
    >
      {languageOrder.map((code) => (
        <button
          key={code}
          type="button"
          lang={htmlLang[code]}
          aria-pressed={code === language}
          className={classes['language']}
          onClick={() => void chooseLanguage(code)}
        >
          {code === language ? <IconCheck size={16} stroke={2.25} aria-hidden /> : null}
          {t(`lang.${code}`)}
        </button>
      ))}
    </div>
  );
}
