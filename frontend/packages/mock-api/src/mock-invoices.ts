import type { DeskBooking, InvoiceDocument, InvoiceRecord } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** Invoices by booking; the stand-in knows one each, and its credit notes. */
export interface InvoiceBook {
  invoices: Map<string, InvoiceRecord>;
}

export const freshInvoices = (): InvoiceBook => ({ invoices: new Map() });

const now = '2027-02-19T15:00:00Z';

function drafted(booking: DeskBooking): InvoiceRecord {
  return {
    id: `invoice-${booking.id}`,
    bookingId: booking.id,
    shortId: booking.shortId,
    purpose: 'move',
    state: 'draft',
    number: null,
    issuedAt: null,
    dueAt: null,
    sentAt: null,
    paidAt: null,
    voidedAt: null,
    reason: null,
    due: booking.owed ?? '0.00',
    currency: 'CAD',
    version: 1,
    zone: booking.zone,
    paper: {
      language: 'en',
      seller: { name: 'Portage', lines: [] },
      registrations: [{ name: 'gst', number: '12345 6782 RT0001' }],
      buyer: { name: booking.customerName, lines: [] },
      reference: '',
      moveDate: booking.date,
      pickup: booking.pickup.fullAddress,
      dropoff: booking.dropoff.fullAddress,
      lines: [
        {
          key: '0:labour',
          description: 'Labour',
          detail: '',
          quantity: '1',
          unit: 'flat',
          unitPrice: booking.amount,
          amount: booking.amount,
        },
      ],
      subtotal: booking.amount,
      taxes: [],
      total: booking.total,
      payments: [],
      due: booking.owed ?? '0.00',
      note: '',
    },
    edits: { buyer: '', address: '', reference: '', note: '' },
    documents: [],
  };
}

const paperOf = (invoice: InvoiceRecord, change: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  id: invoice.id,
  purpose: invoice.purpose,
  state: invoice.state,
  number: invoice.number ?? '',
  total: invoice.paper.total,
  issuedAt: invoice.issuedAt,
  hasReceipt: false,
  reason: null,
  ...change,
});

const issued = (invoice: InvoiceRecord): InvoiceRecord => {
  const made: InvoiceRecord = {
    ...invoice,
    state: 'issued',
    number: '2027-000001',
    issuedAt: now,
    dueAt: now,
    version: 2,
  };
  return { ...made, documents: [paperOf(made)] };
};

/** The staff's calls about invoices. */
export function invoiceHandlers(
  book: InvoiceBook,
  note: (request: Request) => Promise<void>,
  find: (id: unknown) => DeskBooking | undefined,
) {
  const missing = () => problem(404, 'not_found', 'Not found');
  const of = (id: unknown) => [...book.invoices.values()].find((one) => one.id === id);
  const put = (invoice: InvoiceRecord) => {
    book.invoices.set(invoice.bookingId, invoice);
    return HttpResponse.json(invoice);
  };
  const file = (type: string) => new HttpResponse('file', { headers: { 'Content-Type': type } });
  return [
    http.get('*/api/invoices/export', () => file('text/csv')),
    http.get('*/api/invoices', async ({ request }) => {
      await note(request);
      const data = [...book.invoices.values()].map((one) => ({
        id: one.id,
        bookingId: one.bookingId,
        shortId: one.shortId,
        purpose: one.purpose,
        state: one.state,
        number: one.number,
        buyer: one.paper.buyer.name,
        issuedAt: one.issuedAt,
        dueAt: one.dueAt,
        total: one.paper.total,
        due: one.due,
        daysLate: one.state === 'overdue' ? 3 : 0,
        zone: one.zone,
      }));
      return HttpResponse.json({ data, total: data.length, totalIsExact: true, page: 1, perPage: 25 });
    }),
    http.get('*/api/invoices/:id', ({ params }) => {
      const found = book.invoices.get(String(params['id']));
      return found ? HttpResponse.json(found) : missing();
    }),
    http.post('*/api/invoices', async ({ request }) => {
      await note(request);
      const booking = find(((await request.json()) as { bookingId: string }).bookingId);
      if (!booking) return missing();
      book.invoices.set(booking.id, drafted(booking));
      return HttpResponse.json(book.invoices.get(booking.id), { status: 201 });
    }),
    http.put('*/api/invoices/:id', async ({ request, params }) => {
      await note(request);
      const found = of(params['id']);
      if (!found) return missing();
      const edits = (await request.json()) as InvoiceRecord['edits'];
      return put({ ...found, edits, version: found.version + 1 });
    }),
    http.delete('*/api/invoices/:id', async ({ request, params }) => {
      await note(request);
      const found = of(params['id']);
      if (!found) return missing();
      book.invoices.delete(found.bookingId);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/invoices/send/:id', async ({ request, params }) => {
      await note(request);
      const found = of(params['id']);
      if (!found) return missing();
      const numbered = found.state === 'draft' ? issued(found) : found;
      const sent: InvoiceRecord = { ...numbered, state: 'sent', sentAt: now };
      sent.documents = [paperOf(sent)];
      book.invoices.set(sent.bookingId, sent);
      return HttpResponse.json({
        invoice: sent,
        recipient: 'camille@portage.test',
        queued: true,
        message: 'Invoice sent.',
        detail: 'File sent, in a few moments you will receive the invoice in your email',
      });
    }),
    http.post('*/api/invoices/void/:id', async ({ request, params }) => {
      await note(request);
      const found = of(params['id']);
      if (!found) return missing();
      const { reason } = (await request.json()) as { reason: string };
      const back: InvoiceRecord = { ...found, state: 'void', reason, voidedAt: now };
      back.documents = [
        paperOf(back, { reason }),
        paperOf(back, {
          id: `${back.id}-note`,
          purpose: 'credit_note',
          state: 'issued',
          number: 'CN-2027-000001',
          reason,
        }),
      ];
      return put(back);
    }),
    http.post('*/api/invoices/download/:id', async ({ request }) => {
      await note(request);
      return file('application/pdf');
    }),
  ];
}
