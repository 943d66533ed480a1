import { Logo } from '@portage/frame';
import type { ReactNode } from 'react';

import classes from './plain-page.module.css';

/** Page without the sidebar, for people who are not signed in or not allowed in. */
export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <>
      <header className={classes['top']}>
        <a href="/" className={classes['logo']}>
          <Logo />
        </a>
      </header>
      <main id="content" className={classes['root']}>
        {children}
      </main>
    </>
  );
}
