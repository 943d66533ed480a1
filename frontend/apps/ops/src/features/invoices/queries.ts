import { api, type HandMethod, ifMatch, type InvoiceRecord, unwrap } from '@portage/api';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

const meta = { personal: true };

/** A partner's invoice with its bookings. */
export function batchQuery(id: string) {
  return queryOptions({
    queryKey: ['desk', 'invoices', 'batch', id],
    queryFn: ({ signal }) => unwrap(api.GET('/invoices/batch/{id}', { params: { path: { id } }, signal })),
    meta,
  });
}

/** Moves of a partner that are on no invoice. */
export function uninvoicedQuery(partner: string, from: string, to: string) {
  return queryOptions({
    queryKey: ['desk', 'invoices', 'uninvoiced', partner, from, to],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/partner/{id}/uninvoiced', { params: { path: { id: partner }, query: { from, to } }, signal })),
    placeholderData: keepPreviousData,
    meta,
  });
}

export function draftBatch(partner: string, from: string, to: string, bookings: string[], language: string) {
  const body = { from, to, bookings, language: language as InvoiceRecord['paper']['language'] };
  return unwrap(api.POST('/partner/{id}/invoices', { params: { path: { id: partner } }, body }));
}

const at = (id: string) => ({ params: { path: { id } } });
const of = ({ id, version }: InvoiceRecord) => ({ params: { path: { id }, header: ifMatch(version) } });

export const setBookings = (invoice: InvoiceRecord, bookings: string[]) =>
  unwrap(api.PUT('/invoices/batch/{id}/bookings', { ...of(invoice), body: { bookings } }));

/** What staff write into a draft; the partner's own numbers of bookings are its lines. */
export function changeBatch(invoice: InvoiceRecord, edits: InvoiceRecord['edits'], references: Record<string, string>) {
  const lines = Object.entries(references).map(([key, description]) => ({ key, description }));
  return unwrap(api.PUT('/invoices/{id}', { ...of(invoice), body: { ...edits, lines } }));
}

export const issueBatch = (id: string) => unwrap(api.POST('/invoices/batch/{id}/issue', at(id)));
export const sendBatch = (id: string) => unwrap(api.POST('/invoices/send/{id}', { ...at(id), body: {} }));
export const discardBatch = (invoice: InvoiceRecord) => unwrap(api.DELETE('/invoices/{id}', of(invoice)));
export const takeBack = (id: string, reason: string) =>
  unwrap(api.POST('/invoices/void/{id}', { ...at(id), body: { reason } }));

export function payBatch(
  id: string,
  key: string,
  body: { method: HandMethod; amount: string; reference: string | null },
) {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  return unwrap(api.POST('/invoices/batch/{id}/payments', { params, body }));
}

export const batchFile = (id: string, document: 'invoice' | 'receipt') =>
  unwrap(api.POST('/invoices/batch/{id}/download', { params: { path: { id }, query: { document } }, parseAs: 'blob' }));
