import type { ConsentOfLink, DeskConsent } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

const text =
  'Booking PTG4K7: a move on February 18, 2027 at 9:00 a.m., from Montréal to Laval. It had been cancelled, and $114.98 went back to me.\n' +
  'I agree that my card ending in 1111 is charged:\n$574.88 on February 16, 2027, 9:00 a.m. (Montreal time)';

/** What a link asks, and what was answered to it. */
export interface ConsentWorld {
  /** Null: the link never was, or has ended. */
  link: ConsentOfLink | null;
  /** Answers given before the real one, oldest first. */
  answers: (() => Response)[];
  sent: { agree: boolean }[];
}

export function freshConsent(change: Partial<ConsentOfLink> = {}): ConsentWorld {
  return {
    link: {
      state: 'asked',
      kind: 'recharge',
      shortId: 'PTG4K7',
      firstName: 'Camille',
      date: '2027-02-18',
      time: '09:00',
      zone: 'America/Toronto',
      from: 'Montréal',
      to: 'Laval',
      text,
      amount: '574.88',
      currency: 'CAD',
      language: 'en',
      expiresAt: '2027-02-16T14:00:00Z',
      answeredAt: null,
      releases: true,
      ...change,
    },
    answers: [],
    sent: [],
  };
}

/** A question as the desk sees it. */
export const someConsent = (change: Partial<DeskConsent> = {}): DeskConsent => ({
  id: '018f0000-0000-7000-8000-000000000001',
  kind: 'recharge',
  standing: 'asked',
  text,
  language: 'en',
  amount: '574.88',
  minutes: null,
  askedAt: '2027-02-09T15:00:00Z',
  sentTo: 'ana@example.test',
  expiresAt: '2027-02-16T14:00:00Z',
  answeredAt: null,
  how: null,
  note: '',
  ...change,
});

/** `GET` and `POST /api/consent/{token}`, answered from `world`. */
export function consentHandlers(world: ConsentWorld) {
  const missing = () => problem(404, 'not_found', 'Not found');
  return [
    http.get('*/api/consent/:token', () => (world.link ? HttpResponse.json(world.link) : missing())),
    http.post('*/api/consent/:token', async ({ request }) => {
      const said = (await request.json()) as { agree: boolean };
      world.sent.push(said);
      const prepared = world.answers.shift();
      if (prepared) return prepared();
      if (!world.link) return missing();
      world.link = {
        ...world.link,
        state: said.agree ? 'agreed' : 'refused',
        answeredAt: '2027-02-10T15:00:00Z',
      };
      return HttpResponse.json(world.link);
    }),
  ];
}
