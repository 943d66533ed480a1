import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { leadToWhatComes } from '../../lead-to-what-comes.ts';
import { ErrorState, type Failure } from '../../states.tsx';
import { DeskButton } from '../button/button.tsx';
import { EmptyLine } from './empty-line.tsx';
import classes from './states.module.css';

interface NothingYetProps {
  /** What will stand here, as a sentence. */
  title: string;
  children?: ReactNode;
  /** The one thing to do about it. */
  action?: ReactNode;
}

/** Shown when there are no records yet; says what belongs here and offers one way to begin. */
export function NothingYet({ title, children, action }: NothingYetProps) {
  return (
    <div className={classes['root']}>
      <EmptyLine kind="new" />
      <p className={classes['title']}>{title}</p>
      {children ? <div className={classes['text']}>{children}</div> : null}
      {action ? <div className={classes['action']}>{action}</div> : null}
    </div>
  );
}

interface NothingFoundProps {
  /** The filters in words, so that people see what hides the rows. */
  filters?: string;
  onClear?: (() => void) | undefined;
}

/** Shown when filters hide every row; offers to clear them. */
export function NothingFound({ filters, onClear }: NothingFoundProps) {
  const { t } = useTranslation('desk');
  return (
    <div className={classes['root']}>
      <EmptyLine kind="filtered" />
      <p className={classes['title']}>{t('states.nothingFound')}</p>
      <div className={classes['text']}>{filters ?? t('states.nothingFoundHelp')}</div>
      {onClear ? (
        <div className={classes['action']}>
          <DeskButton
            onClick={(event) => {
              leadToWhatComes(event.currentTarget);
              onClear();
            }}
          >
            {t('filters.clear')}
          </DeskButton>
        </div>
      ) : null}
    </div>
  );
}

interface FailedProps {
  /** What could not be done, as a sentence; left out where a heading says so already. */
  title?: string | undefined;
  failure: Failure;
  onRetry?: () => void;
}

/** Says what failed, lets people try again and gives the number to quote. */
export function Failed({ title, failure, onRetry }: FailedProps) {
  return (
    <div className={classes['failed']}>
      <ErrorState title={title} failure={failure} {...(onRetry ? { onRetry } : {})} />
    </div>
  );
}

interface SkeletonProps {
  /** What is being fetched; screen readers hear it. */
  label: string;
  /** The shape of what comes. */
  kind?: 'record' | 'list' | 'figures';
  rows?: number;
}

/** Grey shapes with the geometry of what comes. Nothing is drawn for the first 200 ms: most answers are quicker. */
export function Skeleton({ label, kind = 'list', rows = 4 }: SkeletonProps) {
  return (
    <div role="status" data-loading-state="" aria-label={label} className={classes['skeleton']} data-kind={kind}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes['bars']} aria-hidden>
          <span className={classes['bar']} data-part="a" />
          <span className={classes['bar']} data-part="b" data-long={row % 2 === 0 || undefined} />
        </div>
      ))}
    </div>
  );
}
