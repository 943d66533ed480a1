import { asProblem, type Comparison, type ComparisonFailure, type Difference } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { formatDateTime, formatNumber, useLanguage } from '@portage/i18n';
import { ErrorState, Notice, PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { NothingYet } from '@portage/kit/desk/states';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useState } from 'react';

import { DifferenceItem } from './difference-item.tsx';
import { inOrder, reconciliationQuery } from './queries.ts';
import classes from './reconciliation.module.css';
import { RepairDialog } from './repair-dialog.tsx';
import { useLook } from './use-look.ts';

/** What was compared, when and by whom. */
function Compared({ last }: { last: Comparison }) {
  const { t } = useTranslation('reconciliation');
  const language = useLanguage();
  const when = (instant: string) => formatDateTime(instant, montrealZone, language);
  const facts = [
    ['at', when(last.at)],
    ['by', last.askedBy ?? t('by.daily')],
    ['window', t('window.value', { from: when(last.from), until: when(last.until) })],
    ['transactions', formatNumber(last.transactions, language)],
    ['attempts', formatNumber(last.attempts, language)],
    ['bookings', formatNumber(last.bookings, language)],
  ] as const;
  return (
    <dl className={classes['facts']} aria-label={t('compared')}>
      {facts.map(([key, value]) => (
        <div key={key}>
          <dt>{t(`fact.${key}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The last comparison failed: when, why, and what comes next. */
function NotCompared({ failed, older }: { failed: ComparisonFailure; older: boolean }) {
  const { t } = useTranslation('reconciliation');
  const language = useLanguage();
  const when = (instant: string) => formatDateTime(instant, montrealZone, language);
  return (
    <Notice tone="error" title={t('failed.title')}>
      <p>{t('failed.text', { when: when(failed.at), why: failed.why })}</p>
      <p>{failed.nextTry ? t('failed.next', { when: when(failed.nextTry) }) : t('failed.givenUp')}</p>
      {older ? <p>{t('failed.older')}</p> : null}
    </Notice>
  );
}

/** Whether the payment service, the ledger and the history of each booking agree; what differs is repaired here. */
function ReconciliationPage() {
  const { t } = useTranslation(['reconciliation', 'shell']);
  const language = useLanguage();
  const look = useLook();
  const query = useQuery({ ...reconciliationQuery, refetchInterval: look.interval });
  const [repairing, setRepairing] = useState<Difference | null>(null);
  const looking = look.waitsFor(query.data);
  const press = (
    <DeskButton variant="primary" busy={looking || look.asks} onClick={look.now}>
      {looking || look.asks ? t('looking') : t('look')}
    </DeskButton>
  );
  const found = (last: Comparison) => {
    const open = last.differences.filter(({ standing }) => standing === 'open').length;
    return (
      <>
        <Compared last={last} />
        {open === 0 ? (
          <Notice tone="success">{last.total === 0 ? t('agree') : t('allRepaired')}</Notice>
        ) : (
          <Notice tone="warning">{t('open', { count: open, number: formatNumber(open, language) })}</Notice>
        )}
        {last.total > last.differences.length ? (
          <Notice tone="error" title={t('tooMany')}>
            {t('tooManyHelp', { total: formatNumber(last.total, language) })}
          </Notice>
        ) : null}
        {last.differences.length > 0 ? (
          <ul className={classes['list']} aria-label={t('list')}>
            {inOrder(last).map((one) => (
              <DifferenceItem key={one.id} difference={one} onRepair={setRepairing} />
            ))}
          </ul>
        ) : null}
      </>
    );
  };
  return (
    <>
      <PageHeading title={t('shell:area.reconciliation')} lead={t('lead')} />
      <div className={classes['tools']}>{press}</div>
      {look.failure ? <ErrorState led failure={asProblem(look.failure)} title={t('lookFailed')} /> : null}
      {look.late ? <Notice tone="warning">{t('lookLate')}</Notice> : null}
      <QueryState query={query}>
        {({ last, failed }) => (
          <>
            {failed ? <NotCompared failed={failed} older={Boolean(last)} /> : null}
            {last ? found(last) : <NothingYet title={t('empty')}>{t('emptyHelp')}</NothingYet>}
          </>
        )}
      </QueryState>
      {repairing ? <RepairDialog key={repairing.id} difference={repairing} onClose={() => setRepairing(null)} /> : null}
    </>
  );
}

export const Route = createLazyRoute('/desk/reconciliation')({ component: ReconciliationPage });
