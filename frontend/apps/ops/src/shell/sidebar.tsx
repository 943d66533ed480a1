import { UnstyledButton } from '@mantine/core';
import { LanguageMenu, Logo, SchemeButton } from '@portage/frame';
import { paletteKeyName } from '@portage/kit/desk/palette';
import { IconChevronDown, IconHome, IconKeyboard, IconLogout, IconMenu2, IconSearch } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { showOverlay } from './help.ts';
import { signOut } from './session.ts';
import classes from './sidebar.module.css';
import { menuGroups, useMenu } from './use-menu.ts';

const glyph = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
const plainPages = [
  ['/signin', 'plain.signIn'],
  ['/signup', 'plain.signUp'],
  ['/forgotpassword', 'plain.forgot'],
  ['/resetpassword', 'plain.reset'],
  ['/404', 'plain.404'],
  ['/500', 'plain.500'],
] as const;

/** Menu of the desk's pages; below it language, colours and sign-out. On a phone it opens under a button. */
export function Sidebar() {
  const { t } = useTranslation(['shell', 'common', 'desk']);
  const menu = useMenu();
  const here = useLocation({ select: (location) => location.pathname });
  /** The page on which the menu was opened: on the next one it is closed again. */
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const opened = openedOn === here;
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!opened) return;
    const fold = (event: KeyboardEvent) => {
      // a list inside it closes first
      const lists = root.current?.querySelectorAll<HTMLElement>('[aria-expanded=true]');
      if (event.key !== 'Escape' || lists?.length !== 1) return;
      setOpenedOn(null);
      lists[0]?.focus();
    };
    document.addEventListener('keydown', fold);
    return () => document.removeEventListener('keydown', fold);
  }, [opened]);
  return (
    <header ref={root} className={classes['root']} data-opened={opened || undefined}>
      <div className={classes['top']}>
        <Link to="/" className={classes['logo']} aria-label={t('shell:nav.home')}>
          <Logo />
        </Link>
        <button
          type="button"
          className={classes['menu']}
          aria-expanded={opened}
          aria-controls="desk-menu"
          onClick={() => setOpenedOn(opened ? null : here)}
        >
          <IconMenu2 {...glyph} />
          {t('shell:nav.menu')}
        </button>
      </div>
      <button
        type="button"
        className={classes['find']}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => showOverlay('palette')}
      >
        <IconSearch {...glyph} size={16} />
        <span>{t('desk:palette.label')}</span>
        <kbd aria-hidden>{paletteKeyName()}</kbd>
      </button>
      <div id="desk-menu" className={classes['folding']}>
        <nav aria-label={t('shell:nav.label')} className={classes['nav']}>
          {menuGroups.map((group) => {
            const entries = menu.filter((entry) => entry.group === group);
            return entries.length > 0 ? (
              <div key={group} className={classes['group']}>
                <p id={`menu-${group}`} className={classes['title']}>
                  {t(`shell:group.${group}`)}
                </p>
                <ul aria-labelledby={`menu-${group}`}>
                  {entries.map(({ to, label, icon: Glyph }) => (
                    <li key={to}>
                      <Link to={to} className={classes['item']} activeOptions={{ includeSearch: false }}>
                        <Glyph {...glyph} />
                        {label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            ) : null;
          })}
          <details className={classes['plain']}>
            <summary className={classes['item']}>
              <IconChevronDown {...glyph} className={classes['chevron']} />
              {t('shell:nav.plain')}
            </summary>
            <ul>
              {plainPages.map(([to, title]) => (
                <li key={to}>
                  <Link to={to} className={classes['item']}>
                    {t(`shell:${title}`)}
                  </Link>
                </li>
              ))}
            </ul>
          </details>
        </nav>
        <div role="region" aria-label={t('common:widget.label')} className={classes['own']}>
          <div className={classes['tools']}>
            <LanguageMenu className={classes['tool'] ?? ''} />
            <SchemeButton className={classes['tool'] ?? ''} />
            <button
              type="button"
              className={classes['square']}
              aria-label={t('shell:nav.keys')}
              title={t('shell:nav.keys')}
              onClick={() => showOverlay('keys')}
            >
              <IconKeyboard {...glyph} />
            </button>
          </div>
          <a href="/" className={classes['item']}>
            <IconHome {...glyph} />
            {t('shell:nav.site')}
          </a>
          <UnstyledButton className={classes['item'] ?? ''} onClick={() => void signOut()}>
            <IconLogout {...glyph} />
            {t('common:action.signOut')}
          </UnstyledButton>
        </div>
      </div>
    </header>
  );
}
