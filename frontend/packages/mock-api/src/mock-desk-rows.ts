import type {
  AuditEntry,
  BookingStatus,
  CrewReport,
  DeskBooking,
  DeskEvent,
  DeskNote,
  DeskView,
  OpsMember,
  QueueJob,
  QuoteRequestRecord,
} from '@portage/api';

import { someBooking } from './mock-account.ts';
import { type Books, freshBooks } from './mock-books.ts';
import { type Catalogues, freshCatalogues } from './mock-catalogues.ts';
import { type FailedBook, freshFailed } from './mock-failed.ts';
import { type Feeds, freshFeeds } from './mock-feeds.ts';
import { freshInvoices, type InvoiceBook } from './mock-invoices.ts';
import { freshMoney, type MoneyBook } from './mock-money.ts';
import { freshOutbox, type OutboxRows } from './mock-outbox.ts';
import { freshRates, type Rates } from './mock-rates.ts';
import { someRequest } from './mock-requests.ts';
import { freshSetup, type Setup } from './mock-settings.ts';
import { freshTemplates, type Templates } from './mock-templates.ts';

/** The staff's side of the stand-in server; every test starts from `freshDesk`. */
export interface Desk {
  bookings: DeskBooking[];
  notes: Map<string, DeskNote[]>;
  /** Hours and photos of crews, by booking. */
  work: Map<string, CrewReport>;
  invoices: InvoiceBook;
  money: MoneyBook;
  failed: FailedBook;
  feeds: Feeds;
  history: Map<string, DeskEvent[]>;
  views: DeskView[];
  members: OpsMember[];
  audit: AuditEntry[];
  jobs: QueueJob[];
  books: Books;
  catalogues: Catalogues;
  rates: Rates;
  setup: Setup;
  templates: Templates;
  outbox: OutboxRows;
  requests: QuoteRequestRecord[];
  /** Calls that changed something or asked for a list, oldest first. */
  asked: {
    method: string;
    path: string;
    query: Record<string, string>;
    body: unknown;
    version: string | null;
    key?: string | null;
  }[];
}

export function deskBooking(change: Partial<DeskBooking> = {}): DeskBooking {
  return {
    ...someBooking({ customerPhone: '514-555-0199', crew: [] }),
    owed: '357.80',
    payment: 'card',
    overtime: [],
    consents: [],
    paymentLink: null,
    paymentState: 'deposit_paid',
    paymentProblem: false,
    partner: null,
    hub: 'montreal',
    customerId: 'customer-1',
    allowedStatuses: [
      { status: 'assigned', allowed: true, needs: [] },
      { status: 'completed', allowed: true, needs: ['reason'] },
      { status: 'invoiced', allowed: false, reason: 'never_completed', needs: [] },
      { status: 'payed', allowed: false, reason: 'amount_due', needs: ['paymentReference'] },
      { status: 'cancelled', allowed: true, needs: [] },
      { status: 'deleted', allowed: false, reason: 'money_kept', needs: [] },
    ],
    survey: { source: 'friendsFamily', specify: '' },
    guidelines: { version: '2', text: [], agreedAt: '2027-02-01T15:00:00Z' },
    ...change,
  };
}

const people = ['Camille Roy', 'Jean-Philippe Beauchemin-Larocque', '雨桐 李', 'Amira Haddad', 'Noah Tremblay'];
const states: BookingStatus[] = ['pending', 'assigned', 'assigned', 'completed', 'cancelled', 'pending'];
const towns = ['Montréal', 'Laval', 'Longueuil', 'Montréal', 'Brossard'];

export function freshDesk(count = 12): Desk {
  const bookings = Array.from({ length: count }, (_, n) => {
    const status = states[n % states.length] ?? 'pending';
    const day = `2027-02-${String(10 + Math.floor(n / 3)).padStart(2, '0')}`;
    return deskBooking({
      id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      shortId: `PTG${n + 10}K`,
      customerName: people[n % people.length] ?? '',
      status,
      date: day,
      moveDate: day,
      startsAt: `${day}T14:00:00Z`,
      paymentProblem: n === 2,
      paymentState: n === 2 ? 'problem' : n % 3 === 0 ? 'deposit_paid' : 'paid',
      crew: status === 'pending' || status === 'cancelled' ? [] : [{ mateID: 'M-0001', name: 'Ali' }],
      pickup: { ...someBooking().pickup, floor: n % 4, elevator: n % 2 },
      dropoff: { ...someBooking().dropoff, city: towns[n % towns.length] ?? '' },
    });
  });
  return {
    bookings,
    notes: new Map(),
    work: new Map(),
    invoices: freshInvoices(),
    money: freshMoney(),
    failed: freshFailed(),
    feeds: freshFeeds(),
    history: new Map(),
    views: [],
    members: [
      {
        id: 'member-1',
        firstName: 'Ana',
        lastName: 'Roy',
        email: 'ana@example.test',
        admin: true,
        state: 'active',
        version: 1,
        createdAt: '2027-01-01T00:00:00Z',
      },
    ],
    audit: [],
    jobs: [],
    books: freshBooks(),
    catalogues: freshCatalogues(),
    rates: freshRates(),
    setup: freshSetup(),
    templates: freshTemplates(),
    outbox: freshOutbox(),
    requests: [someRequest()],
    asked: [],
  };
}
