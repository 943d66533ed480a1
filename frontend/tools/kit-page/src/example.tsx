import type { ReactNode } from 'react';

import classes from './page.module.css';

/** One state of a component, with the words that say which. */
export function Example({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes['example']}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
