import type { UnsubscribeOfLink } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** What a link stops, and what was said by it. */
export interface UnsubscribeWorld {
  /** Null: there is no such link. */
  link: UnsubscribeOfLink | null;
  /** Answers given before the real one, oldest first. */
  answers: (() => Response)[];
  said: boolean[];
}

export function freshUnsubscribe(change: Partial<UnsubscribeOfLink> = {}): UnsubscribeWorld {
  return {
    link: { address: 'a***@example.test', stopped: false, company: 'Portage', language: 'en', ...change },
    answers: [],
    said: [],
  };
}

/** `GET` and `POST /api/unsubscribe/{token}`, answered from `world`. */
export function unsubscribeHandlers(world: UnsubscribeWorld) {
  const missing = () => problem(404, 'not_found', 'Not found');
  return [
    http.get('*/api/unsubscribe/:token', () => (world.link ? HttpResponse.json(world.link) : missing())),
    http.post('*/api/unsubscribe/:token', async ({ request }) => {
      const { stop } = (await request.json()) as { stop: boolean };
      world.said.push(stop);
      const prepared = world.answers.shift();
      if (prepared) return prepared();
      if (!world.link) return missing();
      world.link = { ...world.link, stopped: stop };
      return HttpResponse.json(world.link);
    }),
  ];
}
