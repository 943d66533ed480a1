import { type ReactNode, useId } from 'react';

import classes from './catalogue.module.css';

/** A part of a record with its name. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes['section']}>
      <h3 id={id} className={classes['legend']}>
        {title}
      </h3>
      {children}
    </section>
  );
}

/** Names and what is known of them. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes['facts']}>{children}</dl>;
}

/** One of them; what is not known is left out. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <div className={classes['fact']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The number people say, before the name of a record. */
export function Numbered({ number, children }: { number: string; children: ReactNode }) {
  return (
    <span className={classes['numbered']}>
      <span className={classes['number']}>{number}</span> {/* read as two words */}
      <span>{children}</span>
    </span>
  );
}
