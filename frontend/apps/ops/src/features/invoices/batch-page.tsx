import { asProblem, type InvoiceRecord } from '@portage/api';
import { centsOf } from '@portage/domain';
import { dayIn, formatCalendarDate, formatList, useLanguage } from '@portage/i18n';
import { Money, Notice, PageHeading, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { FailedPage } from '../../shell/failed-page.tsx';
import { LoadingPage } from '../../shell/loading-page.tsx';
import { saveFile } from '../../shell/save-file.ts';
import { BatchActions, type Deed } from './batch-actions.tsx';
import { DetailsDialog, PaidDialog, TakeBackDialog } from './batch-dialogs.tsx';
import { Moves, Sums } from './batch-moves.tsx';
import classes from './batch.module.css';
import { batchFile, batchQuery, discardBatch, issueBatch, sendBatch, setBookings, uninvoicedQuery } from './queries.ts';

/** One invoice for many moves of a partner: its draft, its numbers, its payments, its credit notes. */
function BatchPage() {
  const { t } = useTranslation(['batch', 'shell']);
  const { id } = useParams({ from: '/desk/invoices/batch/$id' });
  const invoice = useQuery(batchQuery(id));
  if (invoice.isPending) return <LoadingPage title={t('loading')} />;
  if (invoice.isError)
    return (
      <FailedPage
        area={t('shell:area.invoices')}
        to="/invoices"
        failed={t('failed.one')}
        failure={asProblem(invoice.error)}
        onRetry={() => void invoice.refetch()}
      />
    );
  return <Batch invoice={invoice.data} />;
}

function useDeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  });
}

function Batch({ invoice }: { invoice: InvoiceRecord }) {
  const { t } = useTranslation(['batch', 'papers']);
  const navigate = useNavigate();
  const deed = useDeed();
  const [open, setOpen] = useState<'details' | 'paid' | 'back' | null>(null);
  const { id, state, number, partner, bookings, paper } = invoice;
  const close = () => setOpen(null);
  const name = partner?.name || partner?.partnerID || paper.buyer.name;
  const get = (of: string, document: 'invoice' | 'receipt', file: string) =>
    deed.mutate(async () => saveFile(await batchFile(of, document), `${file}.pdf`));
  const act: Record<Deed, () => void> = {
    issue: () => deed.mutate(() => issueBatch(id)),
    send: () =>
      deed.mutate(async () => {
        const sent = await sendBatch(id);
        showToast({ text: t('sentTo', { address: sent.recipient }) });
      }),
    discard: () =>
      deed.mutate(async () => {
        await discardBatch(invoice);
        await navigate({ to: '/invoices' });
      }),
    look: () => get(id, 'invoice', partner?.partnerID ?? 'draft'),
    details: () => setOpen('details'),
    paid: () => setOpen('paid'),
    back: () => setOpen('back'),
  };
  return (
    <>
      <PageHeading title={t('title.batch', { name })} lead={<Standing invoice={invoice} />} />
      {invoice.reason ? <p className="pg-muted">{invoice.reason}</p> : null}
      <BatchActions invoice={invoice} busy={deed.isPending} act={act} />
      {deed.isError ? (
        <Notice tone="error" live led title={t('refused')} onDismiss={deed.reset}>
          <Reason failure={asProblem(deed.error)} />
        </Notice>
      ) : null}
      <Documents invoice={invoice} onGet={get} />
      <h2>{t('movesCount', { count: bookings.length })}</h2>
      <Moves label={t('onIt')} moves={bookings} owed={number !== null}>
        {state === 'draft' && bookings.length > 1
          ? (one) => (
              <DeskButton
                aria-label={t('takeOffOf', { code: one.shortId })}
                busy={deed.isPending}
                onClick={() =>
                  deed.mutate(() =>
                    setBookings(
                      invoice,
                      bookings.map((other) => other.bookingId).filter((other) => other !== one.bookingId),
                    ),
                  )
                }
              >
                {t('takeOff')}
              </DeskButton>
            )
          : undefined}
      </Moves>
      <Sums subtotal={paper.subtotal} taxes={paper.taxes} total={paper.total} due={number ? invoice.due : paper.due} />
      {state === 'draft' ? (
        <Others invoice={invoice} onAdd={(more) => deed.mutate(() => setBookings(invoice, more))} />
      ) : null}
      {open === 'details' ? <DetailsDialog invoice={invoice} onClose={close} /> : null}
      {open === 'paid' ? <PaidDialog invoice={invoice} onClose={close} /> : null}
      {open === 'back' ? <TakeBackDialog invoice={invoice} onClose={close} /> : null}
    </>
  );
}

/** Its number, where it stands, and until when it is to be paid. */
function Standing({ invoice }: { invoice: InvoiceRecord }) {
  const { t } = useTranslation(['batch', 'papers']);
  const language = useLanguage();
  const short = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const day = (text: string) => formatCalendarDate(text, language, short);
  const on = (instant: string) => day(dayIn(invoice.zone, new Date(instant)));
  const { period } = invoice.paper;
  const facts = [
    invoice.number ?? null,
    t(`papers:state.${invoice.state}`),
    period ? t('span', { from: day(period.from), to: day(period.to) }) : null,
    centsOf(invoice.due) > 0 && invoice.dueAt ? t('payBy', { day: on(invoice.dueAt) }) : null,
  ].filter((one) => one !== null);
  return <>{formatList(facts, language)}</>;
}

interface DocumentsProps {
  invoice: InvoiceRecord;
  onGet: (id: string, document: 'invoice' | 'receipt', file: string) => void;
}

/** Its papers with a number: itself, and what took it or a part of it back. */
function Documents({ invoice, onGet }: DocumentsProps) {
  const { t } = useTranslation(['batch', 'papers']);
  if (invoice.documents.length === 0) return null;
  return (
    <ul className={classes['documents']} aria-label={t('documents')}>
      {invoice.documents.map((one) => (
        <li key={one.id}>
          <span>
            <strong>{one.number}</strong> <span className={classes['meta']}>{t(`papers:kind.${one.purpose}`)}</span>
            {one.reason ? <span className={classes['meta']}> {one.reason}</span> : null}
          </span>
          <span>
            <Money value={one.total} />{' '}
            <DeskButton
              aria-label={t('pdfOf', { number: one.number })}
              onClick={() => onGet(one.id, 'invoice', one.number)}
            >
              PDF
            </DeskButton>{' '}
            {one.hasReceipt ? (
              <DeskButton onClick={() => onGet(one.id, 'receipt', one.number)}>{t('receipt')}</DeskButton>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What else of the period could stand on a draft. */
function Others({ invoice, onAdd }: { invoice: InvoiceRecord; onAdd: (all: string[]) => void }) {
  const { t } = useTranslation('batch');
  const { partner, paper, bookings } = invoice;
  const period = paper.period ?? { from: paper.moveDate, to: paper.moveDate };
  const found = useQuery({
    ...uninvoicedQuery(partner?.id ?? '', period.from, period.to),
    enabled: Boolean(partner),
  });
  const others = found.data?.bookings ?? [];
  if (others.length === 0) return null;
  return (
    <>
      <h2>{t('others')}</h2>
      <Moves label={t('others')} moves={others}>
        {(one) => (
          <DeskButton
            aria-label={t('addOf', { code: one.shortId })}
            onClick={() => onAdd([...bookings.map((other) => other.bookingId), one.bookingId])}
          >
            {t('add')}
          </DeskButton>
        )}
      </Moves>
    </>
  );
}

export const Route = createLazyRoute('/desk/invoices/batch/$id')({ component: BatchPage });
