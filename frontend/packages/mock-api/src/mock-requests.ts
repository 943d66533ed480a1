import type { QuoteRequestBody, QuoteRequestRecord, QuoteRequestState } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

/** A request of a guest whose piano nobody moves alone. */
export const someRequest = (change: Partial<QuoteRequestRecord> = {}): QuoteRequestRecord => ({
  id: 'request-1',
  state: 'new',
  name: 'Camille Caron',
  email: 'camille@example.test',
  phone: '514-555-0199',
  language: 'fr',
  callAt: 'morning',
  obstacles: ['heavy_items'],
  date: '2027-02-17',
  from: 'Montréal',
  to: '',
  takenBy: null,
  bookingId: null,
  booking: null,
  madeAt: '2027-02-01T15:00:00Z',
  changedAt: '2027-02-01T15:00:00Z',
  version: 1,
  bookingRequest: {
    pickup: {
      country: 'Canada',
      province: 'QC',
      postalCode: 'H2X 1Y4',
      city: 'Montréal',
      street: '3500 Rue Saint-Urbain',
      unit: '',
      fullAddress: '3500 Rue Saint-Urbain, Montréal, QC H2X 1Y4, Canada',
    },
    pickupCoords: { lat: 45.5128, lon: -73.5716 },
    pickupFloor: 2,
    pickupHasParking: true,
    pickupAccessibility: 'moderate',
    selectedFurnitures: [{ id: 'couch-3-seats', quantity: 2 }],
    mateCount: 3,
    clientAsMate: true,
    date: '2027-02-17',
    time: '09:00',
    bookingType: 'residential',
    extraServices: ['packing'],
    comments: 'The stairs are narrow',
  },
  ...change,
});

/** The calls by which staff answer requests. */
export function requestHandlers(rows: QuoteRequestRecord[], note: (request: Request) => Promise<void>) {
  const find = (id: unknown) => rows.find((one) => one.id === id);
  return [
    http.get('*/api/quote-requests', async ({ request }) => {
      await note(request);
      const state = new URL(request.url).searchParams.get('state');
      const data = rows.filter((one) => state === null || one.state === state);
      return HttpResponse.json({ data, total: data.length, page: 1, perPage: 50 });
    }),
    http.get('*/api/quote-requests/:id', ({ params }) => {
      const found = find(params['id']);
      return found ? HttpResponse.json(found) : problem(404, 'not_found', 'Not found');
    }),
    http.put('*/api/quote-requests/:id', async ({ request, params }) => {
      await note(request);
      const { state } = (await request.clone().json()) as { state: QuoteRequestState };
      const found = find(params['id']);
      if (!found) return problem(404, 'not_found', 'Not found');
      if (request.headers.get('If-Match') !== `"${found.version}"`)
        return problem(412, 'version_conflict', 'Somebody else changed it meanwhile.');
      Object.assign(found, { state, version: found.version + 1, takenBy: state === 'new' ? null : 'Ana Roy' });
      return HttpResponse.json(found);
    }),
  ];
}

/** What guests asked, with the key of each, and what is answered instead of yes. */
export interface AskWorld {
  asked: { body: QuoteRequestBody; key: string | null }[];
  answers: (() => Response)[];
}

/** The call by which a guest asks a person. */
export function askHandlers(world: AskWorld) {
  return [
    http.post('*/api/quote-requests', async ({ request }) => {
      const body = (await request.json()) as QuoteRequestBody;
      world.asked.push({ body, key: request.headers.get('Idempotency-Key') });
      const answer = world.answers.shift();
      if (answer) return answer();
      const receipt = { id: 'request-1', madeAt: '2027-02-01T15:00:00Z', confirmed: Boolean(body.email) };
      return HttpResponse.json(receipt, { status: 201 });
    }),
  ];
}
