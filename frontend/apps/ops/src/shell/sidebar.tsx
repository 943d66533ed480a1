import { UnstyledButton } from '@mantine/core';
import { LanguageMenu, Logo, SchemeButton } from '@portage/frame';
import { type Icon, IconHome, IconLogout } from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';

import { signOut } from './session.ts';
import classes from './sidebar.module.css';

/** How a page stands in the menu. */
export interface MenuEntry {
  /** Key of its name, with the namespace: usually the title of the page. */
  title: string;
  icon: Icon;
}

/** Menu of the desk's pages; below it language, colours and sign-out. */
export function Sidebar() {
  const { t } = useTranslation(['shell', 'common']);
  const router = useRouter();
  const pages = Object.values(router.routesByPath).flatMap(({ fullPath, options }) =>
    options.staticData?.menu ? [{ to: fullPath, menu: options.staticData.menu }] : [],
  );
  return (
    <header className={classes['root']}>
      <Link to="/" className={classes['logo']} aria-label={t('shell:nav.home')}>
        <Logo />
      </Link>
      <nav aria-label={t('shell:nav.label')} className={classes['nav']}>
        <ul>
          {pages.map(({ to, menu }) => (
            <Suspense key={to}>
              <Entry to={to} menu={menu} />
            </Suspense>
          ))}
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

/** A page of the menu. Its name lies with the page, and comes when it is shown. */
function Entry({ to, menu: { title, icon: Glyph } }: { to: string; menu: MenuEntry }) {
  const { t } = useTranslation(title.split(':')[0] as 'shell');
  // the key comes from a route, beyond what the types of `t` can follow
  const name = t as unknown as (key: string) => string;
  return (
    <li>
      <Link to={to} className={classes['item']}>
        <Glyph size={18} stroke={1.75} aria-hidden />
        {name(title)}
      </Link>
    </li>
  );
}
