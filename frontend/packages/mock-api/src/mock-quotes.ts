import type { BookingDraftBody, QuoteOfLink } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** A mailed quote, with the draft that was kept. */
export const someQuote = (draft: string, change: Partial<QuoteOfLink> = {}): QuoteOfLink => ({
  state: 'open',
  total: '447.25',
  currency: 'CAD',
  validUntil: '2027-02-15T14:00:00Z',
  madeAt: '2027-02-08T14:00:00Z',
  date: '2027-02-17',
  time: '09:00',
  zone: 'America/Toronto',
  from: 'Montréal',
  to: 'Laval',
  language: 'en',
  draft,
  ...change,
});

interface QuoteWish {
  email: string;
  draft: string;
  bookingRequest: BookingDraftBody;
}

/** What was mailed, and what the links lead to, by their secrets. */
export interface QuoteWorld {
  mailed: { key: string | null; body: QuoteWish }[];
  /** Answers given before the real one, oldest first. */
  answers: (() => Response)[];
  links: Record<string, QuoteOfLink>;
}

/** `POST /api/quotes` and `GET /api/quotes/{token}`, answered from `world`. */
export function quoteHandlers(world: QuoteWorld) {
  return [
    http.post('*/api/quotes', async ({ request }) => {
      const body = (await request.json()) as QuoteWish;
      world.mailed.push({ key: request.headers.get('Idempotency-Key'), body });
      const prepared = world.answers.shift();
      if (prepared) return prepared();
      const { total, currency, validUntil, zone } = someQuote(body.draft);
      return HttpResponse.json(
        { sentTo: body.email, total, currency, validUntil, zone, withheld: false },
        { status: 201 },
      );
    }),
    http.get('*/api/quotes/:token', ({ params }) => {
      const link = world.links[String(params['token'])];
      return link ? HttpResponse.json(link) : problem(404, 'not_found', 'Not found');
    }),
  ];
}
