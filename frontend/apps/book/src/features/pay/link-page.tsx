import { asProblem } from '@portage/api';
import { QueryState } from '@portage/frame';
import { PageHeading } from '@portage/kit';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { SupportLinks } from '../../shell/chat/support-links.tsx';
import classes from './pay.module.css';
import { SecretAddress } from './secret-address.tsx';

interface LinkPageProps<Answer> {
  query: UseQueryResult<Answer>;
  title: string;
  /** For a link that never was, or works no more. */
  gone: ReactNode;
  /** While nothing is known and the browser is offline. */
  offline?: ReactNode;
  children: (answer: Answer) => ReactNode;
}

/** A page whose address is a secret that was mailed: for whoever holds it, signed in or not. */
export function LinkPage<Answer>({ query, title, gone, offline, children }: LinkPageProps<Answer>) {
  const isGone = query.isError && asProblem(query.error).status === 404;
  const isOffline = offline !== undefined && query.data === undefined && query.fetchStatus === 'paused';
  return (
    <div className={classes['root']}>
      <SecretAddress />
      {isGone ? (
        gone
      ) : isOffline ? (
        offline
      ) : (
        <QueryState
          query={query}
          rows={5}
          height={44}
          renderFailed={(failure) => (
            <>
              <PageHeading title={title} />
              {failure}
              <Help />
            </>
          )}
        >
          {children}
        </QueryState>
      )}
    </div>
  );
}

/** For a link that never was, or works no more: what that means, and whom to ask. */
export function LinkGone({ title, lead }: { title: string; lead: string }) {
  return (
    <>
      <PageHeading title={title} lead={lead} />
      <Help />
    </>
  );
}

/** Ways to reach the company. Not the chat: its company would be told this page's address. */
export function Help() {
  const { t } = useTranslation('shell');
  return (
    <section aria-labelledby="help" className={classes['section']}>
      <h2 id="help">{t('support.title')}</h2>
      <SupportLinks chat={false} />
    </section>
  );
}
