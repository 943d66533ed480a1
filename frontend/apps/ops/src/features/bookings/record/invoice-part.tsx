import { api, asProblem, type DeskBooking, ifMatch, type InvoiceRecord, unwrap } from '@portage/api';
import { centsOf } from '@portage/domain';
import { dayIn, formatList, useLanguage } from '@portage/i18n';
import { Money, Notice, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { saveFile } from '../../../shell/save-file.ts';
import { InvoiceDraftDialog } from './invoice-draft-dialog.tsx';
import { InvoiceVoidDialog } from './invoice-void-dialog.tsx';
import { invoiceQuery } from './queries.ts';
import classes from './record.module.css';
import { Part, Section } from './section.tsx';
import { useShortDay } from './use-when.ts';

const done = new Set<DeskBooking['status']>(['completed', 'invoiced', 'payed']);

/** Whether there may be an invoice: the move was done, or money was kept when it was cancelled. */
function mayHaveInvoice({ status, kept, completedAt }: DeskBooking): boolean {
  return done.has(status) || (status === 'cancelled' && (centsOf(kept ?? '0.00') > 0 || Boolean(completedAt)));
}

interface Which {
  document?: 'invoice' | 'receipt';
  invoice?: string;
  name: string;
}

type Deed = () => Promise<unknown>;

/** What staff do with it: one deed at a time, and a refusal is said where it was asked for. */
function useDeeds(booking: DeskBooking) {
  const queries = useQueryClient();
  const deed = useMutation({
    mutationFn: (run: Deed) => run(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  });
  const { id, version } = booking;
  const path = (invoice: string) => ({ params: { path: { id: invoice } } });
  return {
    deed,
    draft: () => deed.mutate(() => unwrap(api.POST('/invoices', { body: { bookingId: id } }))),
    issue: () =>
      deed.mutate(() =>
        unwrap(
          api.PUT('/bookings/status/{id}', {
            params: { path: { id }, header: ifMatch(version) },
            body: { status: 'invoiced' },
          }),
        ),
      ),
    discard: (draft: InvoiceRecord) =>
      deed.mutate(() =>
        unwrap(api.DELETE('/invoices/{id}', { params: { path: { id: draft.id }, header: ifMatch(draft.version) } })),
      ),
    send: (invoice: string) =>
      deed.mutate(async () => {
        const sent = await unwrap(api.POST('/invoices/send/{id}', { ...path(invoice), body: {} }));
        showToast({ text: `${sent.message} ${sent.detail}` });
      }),
    download: ({ name, ...query }: Which) =>
      deed.mutate(async () =>
        saveFile(
          await unwrap(api.POST('/invoices/download/{id}', { params: { path: { id }, query }, parseAs: 'blob' })),
          name,
        ),
      ),
  };
}

/** The invoice of a booking: drafted, issued, sent, taken back, with all its papers. */
export function InvoicePart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation(['record', 'papers']);
  const shown = mayHaveInvoice(booking);
  const invoice = useQuery({ ...invoiceQuery(booking.id), enabled: shown });
  if (!shown || (booking.status === 'cancelled' && invoice.data === null)) return null;
  return (
    <Section title={t('part.invoice')} money>
      <Part query={invoice} loading={t('part.invoice')} failed={t('invoice.loadFailed')}>
        {(found) => <Papers booking={booking} invoice={found} />}
      </Part>
    </Section>
  );
}

function Papers({ booking, invoice }: { booking: DeskBooking; invoice: InvoiceRecord | null }) {
  const { t } = useTranslation(['record', 'papers']);
  const deeds = useDeeds(booking);
  const [open, setOpen] = useState<'change' | 'void' | null>(null);
  const close = () => setOpen(null);
  const busy = deeds.deed.isPending;
  if (invoice?.partner) return <OnBatch invoice={invoice} name={invoice.partner.name || invoice.partner.partnerID} />;
  const none = invoice === null || invoice.state === 'void';
  return (
    <>
      {invoice ? <Standing invoice={invoice} /> : <p className="pg-muted">{t('invoice.draftNone')}</p>}
      {invoice && invoice.documents.length > 0 ? <Documents invoice={invoice} onDownload={deeds.download} /> : null}
      <p className={classes['buttons']}>
        {none && booking.status !== 'cancelled' ? (
          <DeskButton busy={busy} onClick={deeds.draft}>
            {t('invoice.draft')}
          </DeskButton>
        ) : null}
        {invoice?.state === 'draft' ? (
          <>
            <DeskButton variant="primary" busy={busy} onClick={() => deeds.send(invoice.id)}>
              {t('invoice.sendDraft')}
            </DeskButton>
            {booking.status === 'completed' ? (
              <DeskButton busy={busy} onClick={deeds.issue}>
                {t('invoice.issue')}
              </DeskButton>
            ) : null}
            <DeskButton onClick={() => setOpen('change')}>{t('invoice.change')}</DeskButton>
            <DeskButton
              busy={busy}
              onClick={() => deeds.download({ document: 'invoice', name: `${booking.id}-invoice.pdf` })}
            >
              {t('invoice.download')}
            </DeskButton>
            <DeskButton busy={busy} onClick={() => deeds.discard(invoice)}>
              {t('invoice.discard')}
            </DeskButton>
          </>
        ) : null}
        {invoice && !none && invoice.state !== 'draft' ? (
          <DeskButton busy={busy} onClick={() => deeds.send(invoice.id)}>
            {t(invoice.state === 'issued' ? 'invoice.send' : 'invoice.sendAgain')}
          </DeskButton>
        ) : null}
        {invoice && ['issued', 'sent', 'overdue'].includes(invoice.state) ? (
          <DeskButton onClick={() => setOpen('void')}>{t('invoice.void')}</DeskButton>
        ) : null}
      </p>
      {deeds.deed.isError ? (
        <Notice tone="error" live led title={t('invoice.failed')} onDismiss={deeds.deed.reset}>
          <Reason failure={asProblem(deeds.deed.error)} />
        </Notice>
      ) : null}
      {invoice && open === 'change' ? <InvoiceDraftDialog invoice={invoice} onClose={close} /> : null}
      {invoice && open === 'void' ? <InvoiceVoidDialog invoice={invoice} onClose={close} /> : null}
    </>
  );
}

/** A move that stands on its partner's invoice: what is done with that one is done on its own page. */
function OnBatch({ invoice, name }: { invoice: InvoiceRecord; name: string }) {
  const { t } = useTranslation(['record', 'papers']);
  return (
    <>
      <p>{t('invoice.onBatch', { name })}</p>
      <Standing invoice={invoice} />
      <p>
        <Link to="/invoices/batch/$id" params={{ id: invoice.id }}>
          {t('invoice.openBatch')}
        </Link>
      </p>
    </>
  );
}

/** Where it stands, and what it comes to. */
function Standing({ invoice }: { invoice: InvoiceRecord }) {
  const { t } = useTranslation(['record', 'papers']);
  const language = useLanguage();
  const day = useShortDay();
  const on = (instant: string) => day(dayIn(invoice.zone, new Date(instant)));
  const owed = centsOf(invoice.due) > 0;
  const kind = t(`papers:kind.${invoice.purpose}`);
  const facts = [
    t(`papers:state.${invoice.state}`),
    invoice.issuedAt ? t('invoice.issued', { day: on(invoice.issuedAt) }) : null,
    owed && invoice.dueAt ? t('invoice.dueOn', { day: on(invoice.dueAt) }) : null,
  ].filter((one) => one !== null);
  return (
    <>
      <p>
        <strong>{invoice.number ? t('invoice.document', { kind, number: invoice.number }) : kind}</strong>{' '}
        <span className={classes['meta']}>{formatList(facts, language)}</span>
        {invoice.reason ? <span className={classes['quote']}>{invoice.reason}</span> : null}
      </p>
      <dl className={classes['sums']}>
        <div>
          <dt>{t('invoice.total')}</dt>
          <dd>
            <Money value={invoice.paper.total} />
          </dd>
        </div>
        {invoice.state === 'void' ? null : (
          <div>
            <dt>{t('papers:due')}</dt>
            <dd>
              <Money value={invoice.due} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** Every paper with a number, to be downloaded as it was issued. */
function Documents({ invoice, onDownload }: { invoice: InvoiceRecord; onDownload: (which: Which) => void }) {
  const { t } = useTranslation(['record', 'papers']);
  const bookingId = invoice.bookingId ?? invoice.id;
  return (
    <ul>
      {invoice.documents.map((one) => (
        <li key={one.id} className={classes['payment']}>
          <span>
            <strong>{t('invoice.document', { kind: t(`papers:kind.${one.purpose}`), number: one.number })}</strong>{' '}
            <span className={classes['meta']}>{t(`papers:state.${one.state}`)}</span>
            {one.reason ? <span className={classes['quote']}>{one.reason}</span> : null}
          </span>
          <span>
            <Money value={one.total} />{' '}
            <DeskButton
              aria-label={t('invoice.downloadOf', { number: one.number })}
              onClick={() => onDownload({ invoice: one.id, name: `${bookingId}-invoice.pdf` })}
            >
              PDF
            </DeskButton>{' '}
            {one.hasReceipt ? (
              <DeskButton
                onClick={() => onDownload({ document: 'receipt', invoice: one.id, name: `${bookingId}-receipt.pdf` })}
              >
                {t('invoice.receipt')}
              </DeskButton>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
