import { Button, Skeleton } from '@mantine/core';
import { formatSentences, useLanguage } from '@portage/i18n';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { leadToWhatComes } from './lead-to-what-comes.ts';
import { Notice } from './notice.tsx';
import classes from './states.module.css';

/** A failure as this package shows it; the API's problem type has these fields. */
export interface Failure {
  status: number;
  detail: string;
  requestId: string | null;
  /** What is wrong with which field, in words: it says what to do, where `detail` only says that something is. */
  fieldErrors?: { message: string }[];
}

interface ErrorStateProps {
  failure: Failure;
  /** What could not be done, in the specification's words; a generic sentence otherwise. */
  title?: string | undefined;
  /** Not offered for what is not there: no second try finds it. */
  onRetry?: () => void;
  /** Takes the focus: somebody pressed for what failed. */
  led?: boolean;
}

/** Why something failed: what the server wrote for people, or words of ours where nobody answered or it failed itself. */
export function Reason({ failure }: { failure: Failure }): ReactNode {
  const { t } = useTranslation('common');
  const language = useLanguage();
  if (failure.status === 0) return t('error.network');
  if (failure.status >= 500) return t('page.serverError');
  const wrong = (failure.fieldErrors ?? []).map(({ message }) => message).filter((message) => message !== '');
  return wrong.length > 0 ? formatSentences(wrong, language) : failure.detail || t('error.generic');
}

/** Not found, or gone for good. */
const final = new Set([404, 410]);

/** Says what failed, what the server wrote for people, how to retry, and what to quote to support. */
export function ErrorState({ failure, title, onRetry, led = false }: ErrorStateProps) {
  const { t } = useTranslation(['common', 'kit']);
  return (
    <Notice
      tone="error"
      live
      led={led}
      title={title ?? t('kit:problem')}
      action={
        onRetry && !final.has(failure.status) ? (
          <Button
            variant="default"
            onClick={(event) => {
              leadToWhatComes(event.currentTarget);
              onRetry();
            }}
          >
            {t('action.retry')}
          </Button>
        ) : undefined
      }
    >
      <Reason failure={failure} />
      {failure.requestId ? (
        <div className={classes['reference']}>{t('error.requestId', { id: failure.requestId })}</div>
      ) : null}
    </Notice>
  );
}

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  glyph?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ title, children, glyph, action }: EmptyStateProps) {
  return (
    <div className={classes['empty']}>
      {glyph ? <div className={classes['glyph']}>{glyph}</div> : null}
      <p className={classes['emptyTitle']}>{title}</p>
      {children ? <div className="pg-muted">{children}</div> : null}
      {action ? <div className={classes['emptyAction']}>{action}</div> : null}
    </div>
  );
}

/** Grey bars in the place of content that is still loading; screen readers hear `label`. */
export function LoadingState({ rows = 4, height = 20, label }: { rows?: number; height?: number; label?: string }) {
  const { t } = useTranslation();
  return (
    <div role="status" data-loading-state="" aria-label={label ?? t('app.loading')} className={classes['loading']}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} width={row % 3 === 2 ? '70%' : '100%'} radius="sm" />
      ))}
    </div>
  );
}
