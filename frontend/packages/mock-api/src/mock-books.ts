import type {
  AgedDebtor,
  BookMonth,
  Comparison,
  ComparisonFailure,
  DayReport,
  Difference,
  TrustRow,
} from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** The books, and what the newest comparison found. */
export interface Books {
  last: Comparison | null;
  failed: ComparisonFailure | null;
  day: DayReport;
  trust: TrustRow[];
  /** What the account says is held in trust; the sum of the rows where it is not said. */
  account: string | null;
  /** The newest first. */
  months: BookMonth[];
  aged: AgedDebtor[];
  /** What is held for moves to come. */
  held: string;
}

const now = '2027-02-09T15:00:00Z';

export const someMonth = (month: string, change: Partial<BookMonth> = {}): BookMonth => ({
  month,
  state: 'open',
  closedAt: null,
  closedBy: null,
  mayClose: false,
  mayReopen: false,
  endsAt: '2027-02-01T08:00:00Z',
  ...change,
});

const someMonths = (): BookMonth[] => [
  someMonth('2027-02', { state: 'running', endsAt: '2027-03-01T08:00:00Z' }),
  someMonth('2027-01', { mayClose: true }),
];

export function someDifference(change: Partial<Difference> = {}): Difference {
  return {
    id: 'difference-1',
    kind: 'ledger_missing',
    text: 'The ledger has no entry for PTG10K-deposit-1 ($114.98)',
    bookingId: '00000000-0000-7000-8000-000000000000',
    shortId: 'PTG10K',
    repair: {
      kind: 'post',
      text: 'Posts the missing entry of PTG10K-deposit-1: debit “Payment service” $114.98, credit “Customer prepayments” $114.98.',
    },
    advice: null,
    standing: 'open',
    firstSeen: now,
    changedAt: now,
    changedBy: null,
    ...change,
  };
}

export function someComparison(differences: Difference[], change: Partial<Comparison> = {}): Comparison {
  return {
    id: 'comparison-1',
    at: now,
    from: '2027-01-30T15:00:00Z',
    until: now,
    askedBy: null,
    transactions: 1240,
    attempts: 1238,
    bookings: 310,
    total: differences.length,
    differences,
    ...change,
  };
}

export const freshBooks = (): Books => ({
  last: null,
  failed: null,
  day: {
    date: '2027-02-09',
    zone: 'America/Toronto',
    cameIn: [
      { method: 'card', amount: '1034.78' },
      { method: 'cash', amount: '100.00' },
    ],
    wentOut: [{ method: 'card', amount: '114.98' }],
    earned: '500.00',
    kept: '0.00',
    taxes: [
      { tax: 'gst', amount: '25.00' },
      { tax: 'qst', amount: '49.88' },
      { tax: 'hst', amount: '0.00' },
    ],
    tips: '20.00',
    accounts: [
      { account: 'gateway', name: 'Payment service', debit: '1034.78', credit: '114.98' },
      { account: 'gst', name: 'GST', debit: '0.00', credit: '25.00' },
      { account: 'qst', name: 'QST', debit: '0.00', credit: '49.88' },
    ],
    differences: 0,
    comparedAt: null,
    currency: 'CAD',
  },
  trust: [],
  account: null,
  months: someMonths(),
  aged: [],
  held: '1034.78',
});

const sum = (rows: readonly { amount: string }[]) =>
  (rows.reduce((cents, row) => cents + Math.round(Number(row.amount) * 100), 0) / 100).toFixed(2);

export function booksHandlers(books: Books, note: (request: Request) => Promise<void>) {
  const csv = (text: string) => new HttpResponse(text, { headers: { 'Content-Type': 'text/csv' } });
  return [
    http.get('*/api/reconciliation', () => HttpResponse.json({ last: books.last, failed: books.failed })),
    http.post('*/api/reconciliation', async ({ request }) => {
      await note(request);
      const before = books.last;
      books.last = someComparison(before?.differences.filter((one) => one.standing === 'open') ?? [], {
        id: 'comparison-2',
        at: '2027-02-09T15:05:00Z',
        askedBy: 'Ana Roy',
      });
      return HttpResponse.json({ askedAt: '2027-02-09T15:04:00Z' });
    }),
    http.post('*/api/reconciliation/:id/repair', async ({ request, params }) => {
      await note(request);
      const found = books.last?.differences.find((one) => one.id === params['id'] && one.standing === 'open');
      if (!found) return problem(409, 'repair_changed', 'Not as it was');
      Object.assign(found, { standing: 'repaired', changedBy: 'Ana Roy', changedAt: now });
      return HttpResponse.json(found);
    }),
    http.get('*/api/books/day', async ({ request }) => {
      await note(request);
      return HttpResponse.json({ ...books.day, date: new URL(request.url).searchParams.get('date') });
    }),
    http.get('*/api/books/trust', async ({ request }) => {
      await note(request);
      const url = new URL(request.url);
      const [at, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('per_page') ?? 50)];
      return HttpResponse.json({
        at: now,
        data: books.trust.slice((at - 1) * size, at * size),
        total: books.trust.length,
        page: at,
        perPage: size,
        amount: sum(books.trust),
        account: books.account ?? sum(books.trust),
        currency: 'CAD',
      });
    }),
    http.get('*/api/books/trust/export', () => csv('booking,customer,moveDate,since,amount\r\n')),
    http.get('*/api/books/balances', async ({ request }) => {
      await note(request);
      return HttpResponse.json({
        at: new URL(request.url).searchParams.get('at') ?? now,
        accounts: [
          { account: 'gateway', name: 'Payment service', balance: '1034.78' },
          { account: 'customer', name: 'Customer prepayments', balance: '-1034.78' },
        ],
        currency: 'CAD',
      });
    }),
    http.get('*/api/books/months', () => HttpResponse.json({ at: now, data: books.months })),
    http.post('*/api/books/months/close', async ({ request }) => {
      const { month } = (await request.clone().json()) as { month: string };
      await note(request);
      books.months = books.months.map((row) =>
        row.month === month
          ? someMonth(month, { state: 'closed', closedAt: now, closedBy: 'Ana Roy', mayReopen: true })
          : row,
      );
      return HttpResponse.json({ at: now, data: books.months });
    }),
    http.post('*/api/books/months/reopen', async ({ request }) => {
      const { month } = (await request.clone().json()) as { month: string };
      await note(request);
      books.months = books.months.map((row) => (row.month === month ? someMonth(month, { mayClose: true }) : row));
      return HttpResponse.json({ at: now, data: books.months });
    }),
    http.get('*/api/books/accounting', async ({ request }) => {
      await note(request);
      return csv('*Narration,*Date\r\n');
    }),
    http.get('*/api/books/aged', async ({ request }) => {
      await note(request);
      const age = (key: keyof AgedDebtor['amounts']) => sum(books.aged.map((one) => ({ amount: one.amounts[key] })));
      const total = age('total');
      return HttpResponse.json({
        at: now,
        data: books.aged,
        total: books.aged.length,
        page: 1,
        perPage: 50,
        amounts: {
          notDue: age('notDue'),
          to30: age('to30'),
          to60: age('to60'),
          to90: age('to90'),
          over90: age('over90'),
          total,
        },
        held: books.held,
        accounts: books.account ?? sum([{ amount: total }, { amount: `-${books.held}` }]),
        currency: 'CAD',
      });
    }),
    http.get('*/api/books/aged/export', async ({ request }) => {
      await note(request);
      return csv('name,kind,booking,moveDate,dueOn,daysLate,amount,currency\r\n');
    }),
    http.get('*/api/journal', async ({ request }) => {
      await note(request);
      return csv('date,entry,kind,account,debit,credit,booking,reference\r\n');
    }),
  ];
}
