import { lazy, type ReactNode, Suspense } from 'react';

import classes from './furniture-picker.module.css';

// decorative: where the drawings cannot be fetched, their place stays empty
const Loaded = lazy(() =>
  import('./drawings/index.tsx').catch((): { default: (props: { id: string }) => ReactNode } => ({
    default: () => null,
  })),
);

/** A piece as it looks, in a place of its size from the beginning. The text beside it must name it. */
export function Drawing({ id }: { id: string }) {
  return (
    <span className={classes['drawing']}>
      <Suspense fallback={null}>
        <Loaded id={id} />
      </Suspense>
    </span>
  );
}
