import type { CardLink, DeskDispute, FailedCharge } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** Charges that failed and disputes, as the desk sees them. */
export interface FailedBook {
  charges: FailedCharge[];
  disputes: DeskDispute[];
  /** How the next attempts end, oldest first; without, they go through. */
  declines: FailedCharge['reason'][];
  /** What went through when it was tried again. */
  made: FailedCharge[];
}

export const someFailure = (change: Partial<FailedCharge> = {}): FailedCharge => ({
  id: 'charge-1',
  bookingId: 'booking-1',
  shortId: 'PTG4K7',
  status: 'completed',
  customer: 'Ana Roy',
  kind: 'balance',
  amount: '459.90',
  method: 'card',
  state: 'failed',
  reason: 'insufficient_funds',
  message: 'Insufficient Funds',
  cardLast4: '1111',
  attempts: 5,
  dueAt: '2027-02-01T14:00:00Z',
  canRetry: true,
  canWriteOff: true,
  canPayBack: false,
  canHandOver: false,
  canSendLink: true,
  ...change,
});

const papers = ['confirmation', 'guidelines', 'statement', 'photos'] as const;

export const someDispute = (change: Partial<DeskDispute> = {}): DeskDispute => ({
  id: 'dispute-1',
  bookingId: 'booking-1',
  shortId: 'PTG4K7',
  customer: 'Ana Roy',
  paymentId: 'charge-9',
  kind: 'full',
  state: 'opened',
  amount: '574.88',
  fee: '0.00',
  reason: 'fraud',
  caseNumber: 'CASE-1',
  replyBy: '2027-02-20T00:00:00Z',
  openedAt: '2027-02-03T14:00:00Z',
  decidedAt: null,
  canWriteOff: false,
  papers: papers.map((paper) => ({ paper, sent: false, note: '', by: null, at: null })),
  version: 1,
  ...change,
});

export const freshFailed = (): FailedBook => ({ charges: [], disputes: [], declines: [], made: [] });

/** The list of failed charges, what can be done about them, and disputes. */
export function failedHandlers(book: FailedBook, note: (request: Request) => Promise<void>) {
  const missing = () => problem(404, 'not_found', 'Not found');
  const paged = (data: object[]) => HttpResponse.json({ data, total: data.length, page: 1, perPage: 50 });
  return [
    http.get('*/api/payments/failed', () => paged(book.charges)),
    http.post('*/api/payments/:id/retry', async ({ request, params }) => {
      await note(request);
      const charge = book.charges.find((one) => one.id === params['id']);
      if (!charge) return missing();
      const reason = book.declines.shift();
      if (reason) Object.assign(charge, { reason, attempts: charge.attempts + 1 });
      else {
        book.charges = book.charges.filter((one) => one !== charge);
        book.made.push(charge);
      }
      return HttpResponse.json({ paymentId: charge.id, bookingId: charge.bookingId });
    }),
    http.get('*/api/bookings/:id/payments', ({ params }) => {
      const made = book.made.filter((one) => one.bookingId === params['id']);
      // of others the record answers
      return made.length > 0
        ? HttpResponse.json({ data: made.map(({ id }) => ({ id, state: 'captured' })) })
        : undefined;
    }),
    http.post('*/api/payments/:id/write-off', async ({ request, params }) => {
      await note(request);
      book.charges = book.charges.filter((one) => one.id !== params['id']);
      return HttpResponse.json({});
    }),
    http.post('*/api/payments/:id/paid-back', async ({ request, params }) => {
      await note(request);
      book.charges = book.charges.filter((one) => one.id !== params['id']);
      return HttpResponse.json({});
    }),
    http.post('*/api/payments/:id/handed-over', async ({ request, params }) => {
      // one that is on no list is the record's
      if (!book.charges.some((one) => one.id === params['id'])) return undefined;
      await note(request);
      book.charges = book.charges.filter((one) => one.id !== params['id']);
      return HttpResponse.json({});
    }),
    http.post('*/api/payments/:id/void', async ({ request }) => {
      await note(request);
      return HttpResponse.json({});
    }),
    http.post('*/api/bookings/:id/card-link', async ({ request }) => {
      await note(request);
      return HttpResponse.json(
        { url: 'http://localhost/card/secret', expiresAt: '2027-02-10T15:00:00Z', sentTo: 'ana@example.test' },
        { status: 201 },
      );
    }),
    http.get('*/api/disputes', () => paged(book.disputes)),
    http.put('*/api/disputes/:id', async ({ request, params }) => {
      await note(request);
      const dispute = book.disputes.find((one) => one.id === params['id']);
      if (!dispute) return missing();
      if (request.headers.get('If-Match') !== `"${dispute.version}"`)
        return problem(412, 'version_conflict', 'Changed meanwhile');
      const body = (await request.json()) as { papers: DeskDispute['papers']; fee: string };
      Object.assign(dispute, { papers: body.papers, fee: body.fee, version: dispute.version + 1 });
      return HttpResponse.json(dispute);
    }),
  ];
}

/** What a link for another card is about, and what was sent to it. */
export interface CardLinkWorld {
  /** Null: the link never was, or has ended. */
  link: CardLink | null;
  /** Answers given before the real one, oldest first. */
  answers: (() => Response)[];
  sent: { paymentNonce: string; amount: string }[];
}

export function freshCardLink(change: Partial<CardLink> = {}): CardLinkWorld {
  return {
    link: {
      state: 'open',
      shortId: 'PTG4K7',
      firstName: 'Camille',
      date: '2027-02-17',
      time: '09:00',
      zone: 'America/Toronto',
      from: 'Montréal',
      to: 'Laval',
      amount: '114.98',
      currency: 'CAD',
      language: 'en',
      expiresAt: '2027-02-08T15:00:00Z',
      clientToken: 'token-of-the-link',
      ...change,
    },
    answers: [],
    sent: [],
  };
}

/** `GET` and `POST /api/card/{token}`, answered from `world`. */
export function cardLinkHandlers(world: CardLinkWorld) {
  const missing = () => problem(404, 'not_found', 'Not found');
  return [
    http.get('*/api/card/:token', () => (world.link ? HttpResponse.json(world.link) : missing())),
    http.post('*/api/card/:token', async ({ request }) => {
      world.sent.push((await request.json()) as { paymentNonce: string; amount: string });
      const prepared = world.answers.shift();
      if (prepared) return prepared();
      if (!world.link) return missing();
      world.link = { ...world.link, state: 'done', amount: '0.00', clientToken: null };
      return HttpResponse.json(world.link);
    }),
  ];
}
