import type { components } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

type Standing = NonNullable<components['schemas']['FeedState']['feed']>;

/** Secret links to calendars, by whose they are: `own`, `mate/<id>`, `hub/<id>`. */
export interface Feeds {
  standing: Map<string, Standing>;
  made: number;
}

export function freshFeeds(): Feeds {
  return { standing: new Map(), made: 0 };
}

export function feedHandlers(kept: Feeds, note: (request: Request) => Promise<void>) {
  const read = (of: string) => HttpResponse.json({ feed: kept.standing.get(of) ?? null });
  const make = (of: string) => {
    kept.made += 1;
    const link = { id: `feed-${kept.made}`, madeAt: '2027-02-08T14:00:00Z' };
    kept.standing.set(of, { ...link, madeBy: 'Ana Roy' });
    return HttpResponse.json(
      { ...link, url: `https://portage.test/api/feeds/secret-${kept.made}/calendar.ics` },
      { status: 201 },
    );
  };
  const end = (id: unknown) => {
    const found = [...kept.standing].find(([, standing]) => standing.id === id);
    if (!found) return problem(404, 'not_found', 'There is no such link.');
    kept.standing.delete(found[0]);
    return new HttpResponse(null, { status: 204 });
  };
  return [
    http.get('*/api/jobs/feed', () => read('own')),
    http.get('*/api/mate/:id/feed', ({ params }) => read(`mate/${String(params['id'])}`)),
    http.get('*/api/calendar/:hub/feed', ({ params }) => read(`hub/${String(params['hub'])}`)),
    http.post('*/api/jobs/feed', async ({ request }) => {
      await note(request);
      return make('own');
    }),
    http.post('*/api/mate/:id/feed', async ({ request, params }) => {
      await note(request);
      return make(`mate/${String(params['id'])}`);
    }),
    http.post('*/api/calendar/:hub/feed', async ({ request, params }) => {
      await note(request);
      return make(`hub/${String(params['hub'])}`);
    }),
    http.delete('*/api/jobs/feed/:id', async ({ request, params }) => {
      await note(request);
      return end(params['id']);
    }),
    http.delete('*/api/feeds/:id', async ({ request, params }) => {
      await note(request);
      return end(params['id']);
    }),
  ];
}
