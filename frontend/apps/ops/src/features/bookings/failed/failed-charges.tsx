import { api, asProblem, type FailedCharge, handMethods, newIdempotencyKey, unwrap } from '@portage/api';
import { formatList, formatName, formatNumber, useLanguage } from '@portage/i18n';
import { ErrorState, Money } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { usePaymentWords } from '../parts/payment-words.ts';
import { useMoney } from '../parts/use-money.ts';
import { HandDialog } from '../record/hand-dialog.tsx';
import { useShortWhen } from '../record/use-when.ts';
import { failedQuery } from './queries.ts';
import { PaidBackDialog } from './paid-back-dialog.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

const codec = tableCodec({
  columns: [
    { key: 'booking', main: true },
    { key: 'kind' },
    { key: 'amount' },
    { key: 'reason' },
    { key: 'attempts' },
    { key: 'next' },
    { key: 'do' },
  ],
});

/** Charges that did not come: why, what is tried next, and what can be done. */
export function FailedCharges() {
  const { t } = useTranslation(['failed', 'record', 'domain', 'shell']);
  const language = useLanguage();
  const queries = useQueryClient();
  const words = usePaymentWords();
  const when = useShortWhen();
  const sumOf = useMoney();
  const search = useSearch({ from: '/desk/failed-charges' });
  const navigate = useNavigate({ from: '/failed-charges' });
  const state = codec.read(search);
  const failed = useQuery(failedQuery(state.page, state.perPage));
  const [givingUp, setGivingUp] = useState<FailedCharge | null>(null);
  const [payingBack, setPayingBack] = useState<FailedCharge | null>(null);
  const [handingOver, setHandingOver] = useState<FailedCharge | null>(null);
  // a press without an answer and the next one at the same charge are one attempt
  const keys = useRef(new Map<string, string>());
  const keyOf = (wish: string) => {
    const key = keys.current.get(wish) ?? newIdempotencyKey();
    keys.current.set(wish, key);
    return key;
  };
  /** What came of one more attempt. Only the payment itself says that money moved: one that is unanswered is on no list. */
  const cameOf = async (row: FailedCharge) => {
    const code = row.shortId;
    const query = failedQuery(state.page, state.perPage);
    const list = await queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => null);
    const still = list?.data.find((one) => one.id === row.id);
    if (still) return t('retry.declined', { code, why: t(`why.${still.reason}`) });
    const path = { id: row.bookingId };
    const money = await unwrap(api.GET('/bookings/{id}/payments', { params: { path } })).catch(() => null);
    const now = money?.data.find((one) => one.id === row.id)?.state;
    if (now !== 'captured' && now !== 'settled') return t('retry.open', { code });
    return t(row.kind === 'refund' ? 'retry.returned' : 'retry.done', { code, amount: sumOf(row.amount) });
  };
  const act = useMutation({
    mutationFn: ({ row, how }: { row: FailedCharge; how: 'retry' | 'link' }) => {
      const header = { 'Idempotency-Key': keyOf(`${how}:${row.id}`) };
      return how === 'retry'
        ? unwrap(api.POST('/payments/{id}/retry', { params: { path: { id: row.id }, header } })).then(() => null)
        : unwrap(api.POST('/bookings/{id}/card-link', { params: { path: { id: row.bookingId }, header } }));
    },
    onSuccess: async (sent, { row, how }) => {
      keys.current.delete(`${how}:${row.id}`);
      if (sent) {
        showToast({ text: t('link.sent', { email: sent.sentTo, until: when(sent.expiresAt) }), seconds: 12 });
        return;
      }
      showToast({ text: await cameOf(row), seconds: 12 });
    },
    onError: (error, { row, how }) => {
      const { status } = asProblem(error);
      if (status > 0 && status < 500) keys.current.delete(`${how}:${row.id}`);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  });
  const busy = (row: FailedCharge, how: 'retry' | 'link') =>
    act.isPending && act.variables.row.id === row.id && act.variables.how === how;
  const doing = (row: FailedCharge) => (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 8 }}>
      {row.canRetry ? (
        <DeskButton
          aria-label={t('retry.name', { code: row.shortId })}
          busy={busy(row, 'retry')}
          onClick={() => act.mutate({ row, how: 'retry' })}
        >
          {t('retry')}
        </DeskButton>
      ) : null}
      {row.canSendLink ? (
        <DeskButton
          aria-label={t('link.name', { code: row.shortId })}
          busy={busy(row, 'link')}
          onClick={() => act.mutate({ row, how: 'link' })}
        >
          {t('link')}
        </DeskButton>
      ) : null}
      {row.canPayBack ? (
        <DeskButton aria-label={t('payBack.name', { code: row.shortId })} onClick={() => setPayingBack(row)}>
          {t('payBack.open')}
        </DeskButton>
      ) : null}
      {row.canHandOver ? (
        <DeskButton aria-label={t('handOver.name', { code: row.shortId })} onClick={() => setHandingOver(row)}>
          {t('record:hand.over.open')}
        </DeskButton>
      ) : null}
      {row.canWriteOff ? (
        <DeskButton
          variant="quiet"
          aria-label={t('writeOff.name', { code: row.shortId })}
          onClick={() => setGivingUp(row)}
        >
          {t('writeOff')}
        </DeskButton>
      ) : null}
    </span>
  );
  const record = (row: FailedCharge) => (
    <Link to="/bookings/$id" params={{ id: row.bookingId }}>
      {t('record:title', { code: row.shortId, name: formatName(row.customer) })}
    </Link>
  );
  const sum = (row: FailedCharge) => <Money value={row.amount} />;
  const columns: Column<FailedCharge>[] = [
    {
      key: 'booking',
      title: t('col.booking'),
      main: true,
      cell: record,
    },
    { key: 'kind', title: t('col.kind'), cell: (row) => words.kind(row.kind) },
    { key: 'amount', title: t('domain:statement.amount'), numeric: true, cell: sum },
    {
      key: 'reason',
      title: t('col.reason'),
      cell: (row) => {
        const by = handMethods.find((one) => one === row.method);
        return formatList(
          [
            by ? t(`record:hand.with.${by}`) : null,
            // What the gateway says of a refund is nowhere else.
            row.reason === 'refund_refused' && row.message
              ? t('why.said', { why: t('why.refund_refused'), words: row.message })
              : t(`why.${row.reason}`),
            // Of what had no card in the end, the card of an earlier attempt says nothing.
            row.cardLast4 && row.reason !== 'no_card' ? t('record:pay.card', { last4: row.cardLast4 }) : null,
          ].filter((one) => one != null),
          language,
        );
      },
    },
    {
      key: 'attempts',
      title: t('col.attempts'),
      numeric: true,
      // What is handed over is tried at no card.
      cell: (row) => (row.canHandOver ? null : formatNumber(row.attempts, language)),
    },
    {
      key: 'next',
      title: t('col.next'),
      cell: (row) => {
        if (row.canHandOver) return null;
        return row.state === 'hard_declined'
          ? t('next.card')
          : row.nextAttemptAt
            ? when(row.nextAttemptAt)
            : t('next.none');
      },
    },
    { key: 'do', title: t('shell:col.do'), cell: doing },
  ];
  return (
    <>
      {act.isError ? <ErrorState led failure={asProblem(act.error)} title={t('refused')} /> : null}
      <DataTable
        label={t('shell:area.failedCharges')}
        columns={columns}
        rows={failed.data?.data ?? []}
        rowKey={(row) => row.id}
        rowName={(row) => row.shortId}
        state={state}
        onState={(next) => void navigate({ search: (before) => ({ ...before, ...codec.write(next) }) })}
        total={failed.data?.total ?? 0}
        status={failed.isPending ? 'loading' : failed.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          failed.isError
            ? { title: t('failed'), failure: asProblem(failed.error), onRetry: () => void failed.refetch() }
            : null
        }
        empty={<NothingYet title={t('empty')}>{t('emptyHelp')}</NothingYet>}
      />
      {payingBack ? <PaidBackDialog key={payingBack.id} row={payingBack} onClose={() => setPayingBack(null)} /> : null}
      {handingOver ? (
        <HandDialog
          key={handingOver.id}
          payment={handingOver}
          whose={t('record:title', { code: handingOver.shortId, name: formatName(handingOver.customer) })}
          act="over"
          onClose={() => setHandingOver(null)}
        />
      ) : null}
      {givingUp ? (
        <ReasonDialog
          title={t('writeOff.title', { amount: sumOf(givingUp.amount), code: givingUp.shortId })}
          text={t('writeOff.text')}
          run={t('writeOff.run')}
          send={(reason, key) =>
            unwrap(
              api.POST('/payments/{id}/write-off', {
                params: { path: { id: givingUp.id }, header: { 'Idempotency-Key': key } },
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
    </>
  );
}
