import { Button } from '@mantine/core';
import { api, asProblem, type Booking, type InvoiceDocument, readFile, unwrap } from '@portage/api';
import { Notice, Reason } from '@portage/kit';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from '../../booking/checkout/booking-query.ts';
import classes from './bookings.module.css';

/** Below the booking's own key; null while there is no document. */
const documentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...bookingQuery(id).queryKey, 'documents'],
    queryFn: async ({ signal }) => {
      try {
        return await unwrap(api.GET('/invoices/{id}', { params: { path: { id } }, signal }));
      } catch (error) {
        if (asProblem(error).status === 404) return null;
        throw error;
      }
    },
    meta: { personal: true },
  });

/** Statuses after which there may be one. */
const withDocuments = new Set<Booking['status']>(['completed', 'invoiced', 'payed', 'cancelled']);
/** Statuses without a contract: nothing is promised any more. */
const withoutContract = new Set<Booking['status']>(['cancelled', 'deleted']);

interface Which {
  invoice: InvoiceDocument;
  receipt: boolean;
}

function save(file: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // browsers read it after the press
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Contract, account, invoice, receipt and credit notes of a booking, for its owner. */
export function Documents({ booking }: { booking: Booking }) {
  const { t } = useTranslation('bookings');
  const found = useQuery({ ...documentsQuery(booking.id), enabled: withDocuments.has(booking.status) });
  const file = useMutation({
    mutationFn: async ({ invoice, receipt }: Which) => {
      const query = { invoice: invoice.id, document: receipt ? ('receipt' as const) : ('invoice' as const) };
      const made = await unwrap(
        api.POST('/invoices/download/{id}', { params: { path: { id: booking.id }, query }, parseAs: 'blob' }),
      );
      save(
        made,
        `${booking.id}-${receipt ? 'receipt' : invoice.purpose === 'credit_note' ? 'credit-note' : 'invoice'}.pdf`,
      );
    },
  });
  const drawn = useMutation({
    mutationFn: async (which: 'contract' | 'statement') =>
      save(
        await readFile(`/api/c/bookings/${booking.id}/${which === 'contract' ? which : `${which}/file`}`),
        `${booking.id}-${which}.pdf`,
      ),
  });
  const failed = [file, drawn].find(({ isError }) => isError);
  const documents = found.data?.documents ?? [];
  const hasContract = !withoutContract.has(booking.status);
  const name = ({ purpose, number }: InvoiceDocument) =>
    purpose === 'move'
      ? t('documents.invoice', { number })
      : purpose === 'cancellation'
        ? t('documents.cancellation', { number })
        : t('documents.creditNote', { number });
  return (
    <section aria-labelledby="booking-documents">
      <h2 id="booking-documents">{t('documents.title')}</h2>
      <p className="pg-muted">{t('documents.help')}</p>
      <ul className={classes['documents']}>
        {hasContract ? (
          <li>
            <Button variant="default" onClick={() => drawn.mutate('contract')}>
              {t('documents.contract')}
            </Button>
          </li>
        ) : null}
        <li>
          <Button variant="default" onClick={() => drawn.mutate('statement')}>
            {t('documents.statement')}
          </Button>
        </li>
        {documents.map((one) => (
          <li key={one.id}>
            <Button variant="default" onClick={() => file.mutate({ invoice: one, receipt: false })}>
              {name(one)}
            </Button>
            {one.state === 'void' ? <span className="pg-muted">{t('documents.void')}</span> : null}
            {one.hasReceipt ? (
              <Button variant="default" onClick={() => file.mutate({ invoice: one, receipt: true })}>
                {t('documents.receipt', { number: one.number })}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {failed ? (
        <Notice tone="error" live title={t('documents.failed')} onDismiss={failed.reset}>
          <Reason failure={asProblem(failed.error)} />
        </Notice>
      ) : null}
    </section>
  );
}
