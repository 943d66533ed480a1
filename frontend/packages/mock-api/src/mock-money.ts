import type { DeskBooking, DeskCredit, DeskPayment, HandMethod } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** What staff did about money by hand, by booking. */
export interface MoneyBook {
  credits: Map<string, DeskCredit[]>;
  received: Map<string, DeskPayment[]>;
}

export const freshMoney = (): MoneyBook => ({ credits: new Map(), received: new Map() });

const centsOf = (amount: string) => Math.round(Number(amount) * 100);
const formatCents = (cents: number) => (cents / 100).toFixed(2);
const sum = (rows: readonly { amount: string }[]) => rows.reduce((cents, row) => cents + centsOf(row.amount), 0);
const now = '2027-02-03T15:00:00Z';

/** The payments of a booking: what its record has, and what was given back and taken by hand. */
export function moneyHandlers(
  book: MoneyBook,
  note: (request: Request) => Promise<void>,
  find: (id: unknown) => DeskBooking | undefined,
) {
  const missing = () => problem(404, 'not_found', 'Not found');
  const money = (booking: DeskBooking) => {
    const credits = book.credits.get(booking.id) ?? [];
    const received = book.received.get(booking.id) ?? [];
    const came = sum(received.filter(({ kind }) => kind !== 'refund'));
    const went = sum(received.filter(({ kind, state }) => kind === 'refund' && state === 'settled'));
    const of = (kind: DeskCredit['kind']) => sum(credits.filter((one) => one.kind === kind));
    const owed = centsOf(booking.owed ?? '0') - of('goodwill') - came + went;
    const held = 8945 + came - went - of('refund');
    return {
      data: [...(booking.payments ?? []).map((one) => ({ ...one, attempts: [] })), ...received],
      paymentPlan: booking.paymentPlan,
      netPaid: formatCents(held),
      owed: formatCents(owed),
      credits,
      credited: formatCents(sum(credits)),
      most: { refund: formatCents(held), goodwill: formatCents(owed) },
    };
  };
  const byHand = (change: Partial<DeskPayment>): DeskPayment => ({
    id: `hand-${book.received.size + 1}`,
    kind: 'difference',
    state: 'settled',
    amount: '0.00',
    method: 'cash',
    reference: null,
    dueAt: now,
    settledAt: now,
    nextAttemptAt: null,
    cardLast4: null,
    message: null,
    refundOf: null,
    attempts: [],
    ...change,
  });
  /** Changes the payment of this key, wherever it is; answers the money of its booking. */
  const change = (id: unknown, to: (payment: DeskPayment) => DeskPayment[]) => {
    for (const [key, rows] of book.received) {
      const booking = find(key);
      if (!booking || !rows.some((row) => row.id === id)) continue;
      book.received.set(
        key,
        rows.flatMap((row) => (row.id === id ? to(row) : [row])),
      );
      return HttpResponse.json(money(booking));
    }
    return missing();
  };
  const statement = (booking: DeskBooking) => ({
    rows: [
      {
        at: booking.createdAt,
        kind: 'price',
        text: 'Price agreed with the booking',
        amount: booking.total,
        balance: booking.total,
      },
      {
        at: now,
        kind: 'deposit',
        text: 'Deposit, charged',
        amount: '89.45',
        balance: booking.owed,
        method: 'card',
        cardLast4: '1111',
      },
    ],
    balance: booking.owed,
    zone: booking.zone,
    currency: 'CAD',
    inQuestion: false,
  });
  return [
    http.get('*/api/bookings/:id/statement', ({ params }) => {
      const booking = find(params['id']);
      return booking ? HttpResponse.json(statement(booking)) : missing();
    }),
    http.get('*/api/bookings/:id/payments', ({ params }) => {
      const booking = find(params['id']);
      return booking ? HttpResponse.json(money(booking)) : missing();
    }),
    http.post('*/api/bookings/:id/payments', async ({ request, params }) => {
      await note(request);
      const booking = find(params['id']);
      if (!booking) return missing();
      const body = (await request.json()) as { method: HandMethod; amount: string; reference: string | null };
      book.received.set(booking.id, [...(book.received.get(booking.id) ?? []), byHand(body)]);
      return HttpResponse.json(money(booking), { status: 201 });
    }),
    http.post('*/api/payments/:id/undo', async ({ request, params }) => {
      await note(request);
      return change(params['id'], (row) => [
        { ...row, state: 'refunded', neverCame: true },
        byHand({
          id: `${row.id}-back`,
          kind: 'refund',
          amount: row.amount,
          method: row.method,
          refundOf: row.id,
          neverCame: true,
        }),
      ]);
    }),
    http.post('*/api/payments/:id/handed-over', async ({ request, params }) => {
      await note(request);
      return change(params['id'], (row) => [{ ...row, state: 'settled', settledAt: now }]);
    }),
    http.post('*/api/bookings/:id/refunds', async ({ request, params }) => {
      await note(request);
      const booking = find(params['id']);
      if (!booking) return missing();
      const body = (await request.json()) as Pick<DeskCredit, 'kind' | 'amount' | 'reason'>;
      const made: DeskCredit = { ...body, at: now, by: 'Ana Roy', ofCancellation: false, ended: false };
      book.credits.set(booking.id, [...(book.credits.get(booking.id) ?? []), made]);
      return HttpResponse.json(money(booking), { status: 201 });
    }),
  ];
}
