import type { DeskBooking, InvoiceBooking, InvoiceDocument, InvoiceRecord } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** Invoices by booking; the stand-in knows one each, and its credit notes. Of a partner it knows one, by its own id. */
export interface InvoiceBook {
  invoices: Map<string, InvoiceRecord>;
  /** Moves of the partner that are on no invoice. */
  uninvoiced: InvoiceBooking[];
}

export const freshInvoices = (): InvoiceBook => ({ invoices: new Map(), uninvoiced: [] });

const now = '2027-02-19T15:00:00Z';

function drafted(booking: DeskBooking): InvoiceRecord {
  return {
    id: `invoice-${booking.id}`,
    bookingId: booking.id,
    shortId: booking.shortId,
    partner: null,
    bookings: [],
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
      period: null,
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
    edits: { buyer: '', address: '', reference: '', note: '', language: null },
    documents: [],
  };
}

const keyOf = (invoice: InvoiceRecord) => invoice.bookingId ?? invoice.id;

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
    book.invoices.set(keyOf(invoice), invoice);
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
        bookings: Math.max(1, one.bookings.length),
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
    ...batchHandlers(book, note),
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
      book.invoices.delete(keyOf(found));
      book.uninvoiced.push(...found.bookings);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/invoices/send/:id', async ({ request, params }) => {
      await note(request);
      const found = of(params['id']);
      if (!found) return missing();
      const numbered = found.state === 'draft' ? issued(found) : found;
      const sent: InvoiceRecord = { ...numbered, state: 'sent', sentAt: now };
      sent.documents = [paperOf(sent)];
      book.invoices.set(keyOf(sent), sent);
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
    http.get('*/api/c/bookings/:id/contract', async ({ request }) => {
      await note(request);
      return file('application/pdf');
    }),
    http.post('*/api/invoices/download/:id', async ({ request }) => {
      await note(request);
      return file('application/pdf');
    }),
  ];
}

const cents = (amounts: string[]) => amounts.reduce((sum, one) => sum + Math.round(Number(one) * 100), 0);
const dollars = (amount: number) => (amount / 100).toFixed(2);
const sumOf = (moves: InvoiceBooking[], of: (move: InvoiceBooking) => string) => dollars(cents(moves.map(of)));

/** What stands on a partner's paper: the moves, and their sums. */
function withMoves(invoice: InvoiceRecord, bookings: InvoiceBooking[]): InvoiceRecord {
  const taxes = (bookings[0]?.taxes ?? []).map((tax, at) => ({
    ...tax,
    amount: sumOf(bookings, (move) => move.taxes[at]?.amount ?? '0'),
  }));
  const [subtotal, total, due] = [
    sumOf(bookings, (move) => move.subtotal),
    sumOf(bookings, (move) => move.total),
    sumOf(bookings, (move) => move.due),
  ];
  return { ...invoice, bookings, due, paper: { ...invoice.paper, subtotal, taxes, total, due } };
}

/** The calls about the invoice of a partner. */
function batchHandlers(book: InvoiceBook, note: (request: Request) => Promise<void>) {
  const partner = { id: 'partner-7', partnerID: 'P-0007', name: 'Meubles Outremont' };
  const missing = () => problem(404, 'not_found', 'Not found');
  const of = (id: unknown) => [...book.invoices.values()].find((one) => one.id === id);
  const put = (invoice: InvoiceRecord, status = 200) => {
    book.invoices.set(keyOf(invoice), invoice);
    return HttpResponse.json(invoice, { status });
  };
  return [
    http.get('*/api/partner/:id/uninvoiced', async ({ request }) => {
      await note(request);
      const query = new URL(request.url).searchParams;
      const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
      const bookings = book.uninvoiced.filter((move) => from <= move.moveDate && move.moveDate <= to);
      const blank = drafted({ pickup: {}, dropoff: {} } as DeskBooking);
      const { paper, due } = withMoves(blank, bookings);
      const { subtotal, taxes, total } = paper;
      const found = { partner, netDays: 30, language: 'fr', from, to, bookings, subtotal, taxes, total, due };
      return HttpResponse.json({ ...found, isMore: false });
    }),
    http.post('*/api/partner/:id/invoices', async ({ request }) => {
      await note(request);
      const asked = (await request.json()) as { from: string; to: string; bookings: string[]; language: 'fr' };
      const chosen = book.uninvoiced.filter((move) => asked.bookings.includes(move.bookingId));
      book.uninvoiced = book.uninvoiced.filter((move) => !chosen.includes(move));
      const blank = drafted({ pickup: {}, dropoff: {}, zone: 'America/Toronto' } as DeskBooking);
      const made: InvoiceRecord = {
        ...blank,
        id: 'batch-1',
        bookingId: null,
        shortId: 'P-0007',
        purpose: 'batch',
        partner,
      };
      made.paper = { ...made.paper, language: asked.language, period: { from: asked.from, to: asked.to } };
      made.paper.buyer = { name: partner.name, lines: [] };
      return put(withMoves(made, chosen), 201);
    }),
    http.get('*/api/invoices/batch/:id', ({ params }) => {
      const found = of(params['id']);
      return found ? HttpResponse.json(found) : missing();
    }),
    http.put('*/api/invoices/batch/:id/bookings', async ({ request, params }) => {
      await note(request);
      const found = of(params['id']);
      if (!found) return missing();
      const { bookings } = (await request.json()) as { bookings: string[] };
      const all = [...found.bookings, ...book.uninvoiced];
      book.uninvoiced = all.filter((move) => !bookings.includes(move.bookingId));
      const moves = all.filter((move) => bookings.includes(move.bookingId));
      return put({ ...withMoves(found, moves), version: found.version + 1 });
    }),
    http.post('*/api/invoices/batch/:id/issue', async ({ request, params }) => {
      await note(request);
      const found = of(params['id']);
      return found ? put(issued(found)) : missing();
    }),
    http.post('*/api/invoices/batch/:id/payments', async ({ request, params }) => {
      await note(request);
      const found = of(params['id']);
      if (!found) return missing();
      const { amount } = (await request.json()) as { amount: string };
      const left = cents([found.due]) - cents([amount]);
      const paid: InvoiceRecord = { ...found, due: dollars(left), state: left > 0 ? found.state : 'paid' };
      return put(paid, 201);
    }),
    http.post('*/api/invoices/batch/:id/download', async ({ request }) => {
      await note(request);
      return new HttpResponse('file', { headers: { 'Content-Type': 'application/pdf' } });
    }),
  ];
}
