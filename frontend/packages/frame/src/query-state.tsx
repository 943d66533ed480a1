import { asProblem } from '@portage/api';
import { ErrorState, LoadingState } from '@portage/kit';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface QueryStateProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'isPending' | 'isError' | 'error' | 'refetch'>;
  /** Geometry of what comes: grey bars meanwhile. */
  rows?: number;
  height?: number;
  /** Stands above the failure where the page has no heading before the answer is there. */
  renderFailed?: (failure: ReactNode, error: unknown) => ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * What is asked of the server, in all its states: on its way, failed, there. What is there stays when asking for it
 * again fails; the failure then stands above it.
 */
export function QueryState<T>({ query, rows, height, renderFailed, children }: QueryStateProps<T>) {
  const { t } = useTranslation();
  const { data } = query;
  const failure = query.isError ? (
    <ErrorState failure={asProblem(query.error)} title={t('page.loadFailed')} onRetry={() => void query.refetch()} />
  ) : null;
  if (data !== undefined)
    return (
      <>
        {failure}
        {children(data)}
      </>
    );
  if (failure) return renderFailed?.(failure, query.error) ?? failure;
  return <LoadingState {...(rows === undefined ? {} : { rows })} {...(height === undefined ? {} : { height })} />;
}
