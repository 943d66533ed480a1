import type { LinkPayment } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** What a payment link leads to, and what was sent to it; every test starts from `freshLink`. */
export interface LinkWorld {
  /** Null: the link never was, or has ended. */
  link: LinkPayment | null;
  /** Answers given before the real one, oldest first. */
  answers: (() => Response)[];
  sent: { paymentNonce: string; amount: string }[];
}

export function freshLink(change: Partial<LinkPayment> = {}): LinkWorld {
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
      amount: '447.25',
      total: '447.25',
      wentBack: '0.00',
      later: '0.00',
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

/** `GET` and `POST /api/pay/{token}`, answered from `world`. */
export function linkHandlers(world: LinkWorld) {
  const missing = () => problem(404, 'not_found', 'Not found');
  return [
    http.get('*/api/pay/:token', () => (world.link ? HttpResponse.json(world.link) : missing())),
    http.post('*/api/pay/:token', async ({ request }) => {
      const body = (await request.json()) as { paymentNonce: string; amount: string };
      world.sent.push(body);
      const prepared = world.answers.shift();
      if (prepared) return prepared();
      if (!world.link) return missing();
      if (body.amount !== world.link.amount)
        return problem(409, 'price_changed', 'The price has changed.', { total: world.link.amount });
      world.link = { ...world.link, state: 'paid', amount: '0.00', clientToken: null };
      return HttpResponse.json(world.link);
    }),
  ];
}
