import { api, asProblem, type DeskDispute, unwrap } from '@portage/api';
import { formatName, formatNumber, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { showToast } from '@portage/kit/desk/toasts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';
import { useShortWhen } from '../record/use-when.ts';
import { DisputeDialog } from './dispute-dialog.tsx';
import classes from './disputes.module.css';
import { disputesQuery } from './queries.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { useDisputeReason } from './words.ts';

const codec = tableCodec({
  columns: [
    { key: 'booking', main: true },
    { key: 'amount' },
    { key: 'state' },
    { key: 'reason' },
    { key: 'until' },
    { key: 'papers' },
    { key: 'do' },
  ],
  prefix: 'disputes.',
});

/** Charges that their cardholders dispute: until when the bank waits, and what was sent to it. */
export function Disputes() {
  const { t } = useTranslation(['failed', 'record', 'domain', 'shell']);
  const language = useLanguage();
  const when = useShortWhen();
  const reason = useDisputeReason();
  const search = useSearch({ from: '/desk/failed-charges' });
  const navigate = useNavigate({ from: '/failed-charges' });
  const state = codec.read(search);
  const disputes = useQuery(disputesQuery(state.page, state.perPage));
  const money = useMoney();
  const [open, setOpen] = useState<DeskDispute | null>(null);
  const [givingUp, setGivingUp] = useState<DeskDispute | null>(null);
  const record = (one: DeskDispute) => (
    <Link to="/bookings/$id" params={{ id: one.bookingId }}>
      {t('record:title', { code: one.shortId, name: formatName(one.customer) })}
    </Link>
  );
  const doing = (one: DeskDispute) => (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 8 }}>
      <DeskButton aria-label={t('dispute.name', { code: one.shortId })} onClick={() => setOpen(one)}>
        {t('dispute.open')}
      </DeskButton>
      {one.canWriteOff ? (
        <DeskButton
          variant="quiet"
          aria-label={t('writeOff.name', { code: one.shortId })}
          onClick={() => setGivingUp(one)}
        >
          {t('writeOff')}
        </DeskButton>
      ) : null}
    </span>
  );
  const sum = (one: DeskDispute) => <Money value={one.amount} />;
  const columns: Column<DeskDispute>[] = [
    {
      key: 'booking',
      title: t('col.booking'),
      main: true,
      cell: record,
    },
    { key: 'amount', title: t('domain:statement.amount'), numeric: true, cell: sum },
    { key: 'state', title: t('col.state'), cell: (one) => t(`stands.${one.state}`) },
    { key: 'reason', title: t('col.reason'), cell: (one) => reason(one.reason) },
    {
      key: 'until',
      title: t('col.until'),
      cell: (one) => (one.state === 'opened' && one.replyBy ? when(one.replyBy) : null),
    },
    {
      key: 'papers',
      title: t('col.papers'),
      cell: (one) =>
        t('papers', {
          sent: formatNumber(one.papers.filter((paper) => paper.sent).length, language),
          all: formatNumber(one.papers.length, language),
        }),
    },
    {
      key: 'do',
      title: t('shell:col.do'),
      cell: doing,
    },
  ];
  return (
    <section aria-labelledby="disputes" className={classes['disputes']}>
      <h2 id="disputes">{t('disputes')}</h2>
      <p className="pg-muted">{t('disputesHelp')}</p>
      <DataTable
        label={t('disputes')}
        columns={columns}
        rows={disputes.data?.data ?? []}
        rowKey={(one) => one.id}
        rowName={(one) => one.shortId}
        state={state}
        onState={(next) => void navigate({ search: (before) => ({ ...before, ...codec.write(next) }) })}
        total={disputes.data?.total ?? 0}
        status={disputes.isPending ? 'loading' : disputes.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          disputes.isError
            ? {
                title: t('disputesFailed'),
                failure: asProblem(disputes.error),
                onRetry: () => void disputes.refetch(),
              }
            : null
        }
        empty={<NothingYet title={t('noDisputes')} />}
      />
      {givingUp ? (
        <ReasonDialog
          title={t('writeOff.title', { amount: money(givingUp.amount), code: givingUp.shortId })}
          text={t('writeOff.text')}
          run={t('writeOff.run')}
          send={(reason, key) =>
            unwrap(
              api.POST('/payments/{id}/write-off', {
                params: { path: { id: givingUp.paymentId }, header: { 'Idempotency-Key': key } },
                body: { reason },
              }),
            )
          }
          onDone={() => {
            showToast({ text: t('writeOff.done', { code: givingUp.shortId }) });
            setGivingUp(null);
          }}
          onClose={() => setGivingUp(null)}
        />
      ) : null}
      {open ? <DisputeDialog key={open.id} dispute={open} onClose={() => setOpen(null)} /> : null}
    </section>
  );
}
