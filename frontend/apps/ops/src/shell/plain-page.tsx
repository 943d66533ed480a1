import type { ReactNode } from 'react';

import classes from './plain-page.module.css';

/** Page without the sidebar, for people who are not signed in or not allowed in. */
export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <main id="content" className={classes['root']}>
      {children}
    </main>
  );
}
