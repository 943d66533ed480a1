import { asProblem } from '@portage/api';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';

import classes from './record.module.css';

/** A part of the record with its name. `money` keeps it off the printed job sheet, which has what the crew needs and no price. */
export function Section({ title, money, children }: { title: string; money?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes['section']} data-money={money || undefined}>
      <h2 id={id} className={classes['title']}>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface PartProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'error' | 'refetch'>;
  /** Heard and shown while it is on its way. */
  loading: string;
  /** Said when it failed; left out where a heading says so already. */
  failed?: string | undefined;
  children: (data: T) => ReactNode;
}

/** A part that is fetched on its own: when it fails, the rest of the page stays. */
export function Part<T>({ query, loading, failed, children }: PartProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return <Failed title={failed} failure={asProblem(query.error)} onRetry={() => void query.refetch()} />;
  return <Skeleton label={loading} rows={3} />;
}

/** A name and what is known of it. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
