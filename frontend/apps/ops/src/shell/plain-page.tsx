import type { ReactNode } from 'react';

import classes from './plain-page.module.css';

/** A page without the sidebar: for those who are not in yet, or may not be. */
export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <main id="content" className={classes['root']}>
      {children}
    </main>
  );
}
