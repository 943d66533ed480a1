import type { BookingStatus, BulkResult, CrewReport, DeskBooking, DeskNote, DeskView, PhoneOrder } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';
import { booksHandlers } from './mock-books.ts';
import { catalogueHandlers } from './mock-catalogues.ts';
import { type Desk, deskBooking } from './mock-desk-rows.ts';
import { failedHandlers } from './mock-failed.ts';
import { feedHandlers } from './mock-feeds.ts';
import { someHubs } from './mock-hubs.ts';
import { invoiceHandlers } from './mock-invoices.ts';
import { moneyHandlers } from './mock-money.ts';
import { bookingMessages, outboxHandlers } from './mock-outbox.ts';
import { photoHandlers } from './mock-photos.ts';
import { rateHandlers } from './mock-rates.ts';
import { requestHandlers } from './mock-requests.ts';
import { setupHandlers } from './mock-settings.ts';
import { templateHandlers } from './mock-templates.ts';

/** What is told of a job that nobody has begun. */
const nothingDone: CrewReport = { plannedMinutes: 150, crew: [], photos: [] };

/** The calls of the back office, answered from `desk`. */
export function deskHandlers(desk: Desk) {
  const find = (id: unknown) => desk.bookings.find((one) => one.id === id);
  const missing = () => problem(404, 'not_found', 'Not found');
  const note = async (request: Request) => {
    const url = new URL(request.url);
    const text = await request.clone().text();
    desk.asked.push({
      method: request.method,
      path: url.pathname.replace(/^\/api/, ''),
      query: Object.fromEntries(url.searchParams),
      body: text ? (JSON.parse(text) as unknown) : null,
      version: request.headers.get('If-Match'),
      key: request.headers.get('Idempotency-Key'),
    });
  };
  const page = (rows: readonly object[], url: URL) => {
    const [at, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('per_page') ?? 10)];
    return HttpResponse.json({
      data: rows.slice((at - 1) * size, at * size),
      total: rows.length,
      totalIsExact: true,
      page: at,
      perPage: size,
    });
  };
  const list = async ({ request }: { request: Request }) => {
    await note(request);
    const url = new URL(request.url);
    const value = (url.searchParams.get('value') ?? '').toLowerCase();
    const filters = JSON.parse(url.searchParams.get('filters') ?? '{}') as { status?: string[] };
    const rows = desk.bookings.filter(
      (one) =>
        (!filters.status || filters.status.includes(one.status)) &&
        [one.shortId, one.customerName, one.customerPhone].some((text) => text.toLowerCase().includes(value)),
    );
    if (url.searchParams.get('sort')?.startsWith('-')) rows.reverse();
    return page(rows, url);
  };
  const save = (id: string, change: Partial<DeskBooking>) => {
    desk.bookings = desk.bookings.map((one) => (one.id === id ? { ...one, ...change, version: one.version + 1 } : one));
    return find(id);
  };
  return [
    // nothing happens elsewhere
    http.get(
      '*/api/events',
      () => new HttpResponse(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } }),
    ),
    http.get('*/api/hubs', () => HttpResponse.json({ data: someHubs })),
    http.get('*/api/views', () =>
      HttpResponse.json({
        worklists: [
          {
            key: 'unassignedSoon',
            filters: { unassigned: true, withinHours: 72 },
            sort: 'moveAt',
            total: 3,
            totalIsExact: true,
          },
          {
            key: 'waitingForCustomer',
            filters: { payment: ['link'], paymentState: ['none', 'deposit_paid'], status: ['pending', 'assigned'] },
            sort: 'moveAt',
            total: 2,
            totalIsExact: true,
          },
          {
            key: 'paymentProblem',
            filters: { paymentState: ['problem'] },
            sort: 'moveAt',
            total: 1,
            totalIsExact: true,
          },
        ],
        data: desk.views,
      }),
    ),
    http.post('*/api/views', async ({ request }) => {
      await note(request);
      const body = (await request.json()) as Pick<DeskView, 'name' | 'shared' | 'filters' | 'sort'>;
      const view = {
        ...body,
        id: `view-${desk.views.length + 1}`,
        own: true,
        version: 1,
        total: 2,
        totalIsExact: true,
      };
      desk.views.push(view);
      return HttpResponse.json(view, { status: 201 });
    }),
    ...['bookings', 'search', 'filter', 'searchFiltered'].map((name) => http.get(`*/api/${name}`, list)),
    http.post('*/api/geo/route', async ({ request }) => {
      const { pickup, dropoff } = (await request.json()) as Record<'pickup' | 'dropoff', { lat: number; lon: number }>;
      const corner = [pickup.lon, dropoff.lat];
      const coordinates = [[pickup.lon, pickup.lat], corner, [dropoff.lon, dropoff.lat]];
      return HttpResponse.json({
        durationSeconds: 1500,
        distanceMeters: 12_400,
        geometry: { type: 'LineString', coordinates },
      });
    }),
    http.get('*/api/furniture', () => HttpResponse.json({ data: [], presets: [], rooms: [] })),
    http.get('*/api/bookings/:id', ({ params }) => {
      const booking = find(params['id']);
      return booking ? HttpResponse.json(booking) : missing();
    }),
    http.post('*/api/bookings/:id/card', async ({ request }) => {
      await note(request);
      return HttpResponse.json({ customerId: 'gateway-1', card: { brand: 'visa', last4: '1111', expiry: '12/2030' } });
    }),
    http.get('*/api/bookings/:id/customer', ({ params }) => {
      const booking = find(params['id']);
      if (!booking) return missing();
      const [firstName = '', lastName = ''] = booking.customerName.split(' ');
      return HttpResponse.json({
        customer: {
          id: booking.customerId,
          firstName,
          lastName,
          name: booking.customerName,
          email: booking.customerEmail,
          phone: booking.customerPhone,
          language: booking.language,
          emailVerified: true,
          hasCard: true,
        },
        owes: '357.80',
        data: [],
        total: 3,
      });
    }),
    ...failedHandlers(desk.failed, note),
    ...moneyHandlers(desk.money, note, find),
    ...invoiceHandlers(desk.invoices, note, find),
    http.get('*/api/bookings/:id/messages', () => HttpResponse.json({ data: bookingMessages })),
    http.get('*/api/bookings/:id/crew/report', ({ params }) =>
      HttpResponse.json(desk.work.get(String(params['id'])) ?? nothingDone),
    ),
    http.get('*/api/bookings/:id/notes', ({ params }) =>
      HttpResponse.json({ data: desk.notes.get(String(params['id'])) ?? [] }),
    ),
    http.post('*/api/bookings/:id/notes', async ({ request, params }) => {
      await note(request);
      const body = (await request.json()) as Pick<DeskNote, 'text' | 'visibility'>;
      const id = String(params['id']);
      const made: DeskNote = {
        ...body,
        id: `note-${Date.now()}`,
        createdAt: '2027-02-03T15:00:00Z',
        author: { id: 'user-1', name: 'Ana Roy' },
        mate: null,
      };
      desk.notes.set(id, [made, ...(desk.notes.get(id) ?? [])]);
      return HttpResponse.json(made, { status: 201 });
    }),
    http.get('*/api/bookings/:id/history', ({ params }) =>
      HttpResponse.json({
        data: desk.history.get(String(params['id'])) ?? [
          {
            at: '2027-02-01T15:00:00Z',
            actor: null,
            actorName: null,
            role: 'customer',
            kind: 'status',
            what: { from: null, to: 'pending', reason: null },
          },
          {
            at: '2027-02-02T15:01:00Z',
            actor: null,
            actorName: null,
            role: 'system',
            kind: 'charge',
            what: { kind: 'deposit', amount: '89.45', state: 'settled' },
          },
        ],
      }),
    ),
    http.get('*/api/bookings/:id/cancellation', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const kept = query.get('fault') === 'customer' && query.get('waive') !== 'true' ? '89.45' : '0.00';
      return HttpResponse.json({
        at: '2027-02-03T15:00:00Z',
        kept,
        refunded: kept === '0.00' ? '89.45' : '0.00',
        refundNow: kept === '0.00' ? '89.45' : '0.00',
        toCharge: '0.00',
        owed: '0.00',
        rule: 'company',
      });
    }),
    http.post('*/api/bookings/:id/preview', async ({ request, params }) => {
      const booking = find(params['id']);
      if (!booking) return missing();
      const body = (await request.json()) as {
        booking?: { extraServices?: DeskBooking['extraServices'] };
        waiveFee?: boolean;
        customersWish?: boolean;
      };
      const extraServices = body.booking?.extraServices ?? booking.extraServices;
      // the stand-in's rates have a price for packing alone
      const packing = booking.lines.slice(0, 1).map((line) => ({ ...line, code: 'packing', amount: '60.00' }));
      const lines = [...booking.lines, ...(extraServices.includes('packing') ? packing : [])];
      const changeFee = body.customersWish && !body.waiveFee ? '89.45' : '0.00';
      return HttpResponse.json({
        oldTotal: '447.25',
        newTotal: changeFee === '0.00' ? '500.00' : '589.45',
        changeFee,
        difference: changeFee === '0.00' ? '52.75' : '142.20',
        chargeNow: '0.00',
        refundNow: '0.00',
        paymentPlan: booking.paymentPlan,
        booking: { ...booking, extraServices, lines },
      });
    }),
    http.put('*/api/bookings/:id', async ({ request, params }) => {
      await note(request);
      const booking = find(params['id']);
      if (!booking) return missing();
      if (request.headers.get('If-Match') !== `"${booking.version}"`)
        return problem(412, 'version_conflict', 'Changed meanwhile.');
      const { booking: change } = (await request.json()) as { booking?: Partial<DeskBooking> };
      return HttpResponse.json(save(booking.id, change ?? {}));
    }),
    http.put('*/api/bookings/status/:id', async ({ request, params }) => {
      await note(request);
      const booking = find(params['id']);
      if (!booking) return missing();
      const version = request.headers.get('If-Match');
      if (version !== null && version !== `"${booking.version}"`)
        return problem(412, 'version_conflict', 'Changed meanwhile.');
      const { status } = (await request.json()) as { status: BookingStatus };
      return HttpResponse.json(save(booking.id, { status }));
    }),
    http.post('*/api/bookings/status', async ({ request }) => {
      await note(request);
      const { ids, status } = (await request.json()) as { ids: string[]; status: BookingStatus };
      const data = ids.map((id, index): BulkResult => {
        const booking = find(id);
        if (!booking || index % 2 === 1)
          return {
            id,
            shortId: booking?.shortId ?? null,
            ok: false,
            status: booking?.status ?? null,
            code: 'transition_refused',
            detail: 'This is not possible now.',
          };
        save(id, { status });
        return { id, shortId: booking.shortId, ok: true, status };
      });
      return HttpResponse.json({ data });
    }),
    http.post('*/api/bookings', async ({ request }) => {
      await note(request);
      const { bookingRequest, customer, payment } = (await request.json()) as PhoneOrder;
      const made = deskBooking({
        id: '00000000-0000-7000-8000-00000000ca11',
        shortId: 'CA11ER',
        customerName: `${customer.firstName} ${customer.lastName}`,
        customerEmail: customer.email,
        customerPhone: customer.phone,
        language: customer.language,
        payment,
        paymentState: 'none',
        total: bookingRequest.expectedTotal ?? '0.00',
        owed: bookingRequest.expectedTotal ?? '0.00',
        paymentLink: payment === 'link' ? { expiresAt: '2027-02-10T15:00:00Z', sentTo: customer.email } : null,
      });
      desk.bookings = [made, ...desk.bookings];
      return HttpResponse.json(made, { status: 201 });
    }),
    http.post('*/api/bookings/:id/payment-link', async ({ request, params }) => {
      await note(request);
      const booking = find(params['id']);
      if (!booking) return missing();
      if (booking.payment === 'card') return problem(409, 'paid_by_card', 'By card.');
      if (Number(booking.owed ?? 0) === 0) return problem(409, 'nothing_owed', 'Nothing.');
      const paymentLink = { expiresAt: '2027-02-10T15:00:00Z', sentTo: booking.customerEmail };
      save(booking.id, { paymentLink });
      return HttpResponse.json(
        { ...paymentLink, url: 'http://localhost/pay/token', amount: booking.owed },
        { status: 201 },
      );
    }),
    http.post('*/api/bookings/:id/confirmation', async ({ request }) => {
      await note(request);
      return HttpResponse.json({ messageType: 'bookingConfirmation', recipient: 'ana@example.test', queued: true });
    }),
    ...booksHandlers(desk.books, note),
    ...feedHandlers(desk.feeds, note),
    ...catalogueHandlers(desk.catalogues, note, page),
    ...photoHandlers(desk),
    ...rateHandlers(desk.rates, note, page),
    ...setupHandlers(desk.setup, note),
    ...templateHandlers(desk.templates, note),
    ...outboxHandlers(desk.outbox, note),
    ...requestHandlers(desk.requests, note),
    http.get('*/api/ops', ({ request }) => page(desk.members, new URL(request.url))),
    http.get('*/api/audit', async ({ request }) => {
      await note(request);
      return page(desk.audit, new URL(request.url));
    }),
    http.get('*/api/queue', () => HttpResponse.json({ data: desk.jobs })),
    http.post('*/api/queue/:id/retry', ({ params }) => {
      desk.jobs = desk.jobs.filter((one) => one.id !== params['id']);
      return new HttpResponse(null, { status: 204 });
    }),
  ];
}
