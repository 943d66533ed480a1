import type { Booking, OwnProfile } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { mockFigures, mockTerms } from './mock-policy.ts';

/** What a signed-in person's side of the stand-in server holds; every test starts from `freshAccount`. */
/** What a line says besides its name and amount. */
const flat = { quantity: '1', unit: 'flat', unitPrice: '0.00', multiplier: '1.00', period: 'base' };

export interface Account {
  profile: OwnProfile;
  bookings: Booking[];
  /** Answers given before the real one, oldest first. */
  bookingAnswers: (() => Response)[];
  cardAnswers: (() => Response)[];
  /** Bookings by idempotency key, so that a repeated try is answered as the first one was. */
  byKey: Map<string, Booking>;
}

export function problem(status: number, code: string, detail: string, members: Record<string, unknown> = {}): Response {
  return HttpResponse.json(
    { type: 'about:blank', title: code, status, code, detail, ...members },
    { status, headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'req-1' } },
  );
}

const location = (street: string, city: string, postalCode: string): Booking['pickup'] => ({
  street,
  unit: '',
  aptUnit: '',
  city,
  province: 'QC',
  postalCode,
  country: 'Canada',
  fullAddress: `${street}, ${city}, QC ${postalCode}`,
  coords: { lat: 45.5, lon: -73.5 },
  floor: 2,
  floors: 2,
  elevator: 1,
  parking: true,
  accessibility: 'easy',
  details: '',
});

export function someBooking(change: Partial<Booking> = {}): Booking {
  return {
    id: '0192-0001',
    shortId: 'PTG4K7',
    version: 1,
    chargesWait: false,
    status: 'pending',
    bookingDate: '2027-02-01T15:00:00Z',
    createdAt: '2027-02-01T15:00:00Z',
    updatedAt: '2027-02-01T15:00:00Z',
    date: '2027-02-17',
    moveDate: '2027-02-17',
    numberOfMates: 2,
    tier: 1,
    estimatedPrice: '389.00',
    taxType: 'gst+qst',
    bigItems: 0,
    smallItems: 14,
    customerPhone: '',
    photos: [],
    language: 'en',
    time: '09:00',
    arrivalWindow: { from: '08:30', until: '09:30' },
    zone: 'America/Toronto',
    startsAt: '2027-02-17T14:00:00Z',
    moveType: 'residential',
    mateCount: 2,
    clientAsMate: false,
    justMates: false,
    rideAlong: false,
    payment: 'card',
    estimatedDuration: 150,
    distance: '12.4',
    amount: '389.00',
    originalAmount: '389.00',
    discount: '0.00',
    discountCode: null,
    tax: '58.25',
    taxComponents: [
      { name: 'gst', rate: '0.05', amount: '19.45' },
      { name: 'qst', rate: '0.09975', amount: '38.80' },
    ],
    total: '447.25',
    currency: 'CAD',
    lines: [
      { type: 'regular', code: 'labour', description: '2 mates × 2 h 30', amount: '295.00', ...flat },
      { type: 'regular', code: 'travel_fee', description: '30 min', amount: '59.00', ...flat },
      { type: 'other', code: 'truck_fee', description: '', amount: '35.00', ...flat },
    ],
    pickup: location('3575 Avenue du Parc', 'Montréal', 'H2X 3P9'),
    dropoff: location('4500 Boulevard Saint-Martin Ouest', 'Laval', 'H7T 2Y3'),
    items: [{ id: 'couch-3-seats', quantity: 1 }],
    assembly: true,
    extraServices: [],
    rooms: { bedrooms: 0, bathrooms: 0, rooms: 0, stairs: 0, elevator: 0 },
    totalCubicFeet: '50.0',
    comments: '',
    customerName: 'Ana Roy',
    customerEmail: 'ana@example.test',
    tips: null,
    tip: null,
    paymentPlan: {
      mode: 'split',
      charges: [
        { kind: 'deposit', dueAt: '2027-02-02T15:00:00Z', amount: '89.45' },
        { kind: 'balance', dueAt: '2027-02-15T14:00:00Z', amount: '357.80' },
      ],
      cancellation: [
        { from: '2027-02-01T15:00:00Z', until: '2027-02-02T15:00:00Z', untilInclusive: true, kept: '0.00' },
        { from: '2027-02-02T15:00:00Z', until: '2027-02-15T14:00:00Z', untilInclusive: false, kept: '89.45' },
        { from: '2027-02-15T14:00:00Z', until: null, untilInclusive: false, kept: '447.25' },
      ],
      terms: [...mockTerms],
      policy: mockFigures,
      zone: 'America/Toronto',
    },
    payments: [
      {
        id: 'p1',
        kind: 'deposit',
        state: 'settled',
        amount: '89.45',
        dueAt: '2027-02-02T15:00:00Z',
        settledAt: '2027-02-02T15:01:00Z',
        method: 'card',
        cardLast4: '1111',
        message: null,
      },
      {
        id: 'p2',
        kind: 'balance',
        state: 'scheduled',
        amount: '357.80',
        dueAt: '2027-02-15T14:00:00Z',
        settledAt: null,
        method: 'card',
        cardLast4: null,
        message: null,
      },
    ],
    netPaid: '89.45',
    mayEdit: true,
    mayCancel: true,
    cancelledAt: null,
    cancelledBy: null,
    completedAt: null,
    kept: null,
    ...change,
  };
}

export function freshAccount(): Account {
  return {
    profile: {
      userId: 'user-1',
      firstName: 'Ana',
      lastName: 'Roy',
      fullName: 'Ana Roy',
      email: 'ana@example.test',
      phone: '',
      gender: '',
      occupation: '',
      language: 'en',
      billingAddress: {
        unit: '',
        streetName: '',
        aptUnit: '',
        city: '',
        postalCode: '',
        province: '',
        country: 'Canada',
      },
      wallet: { customerId: null, card: null },
      role: 'customer',
      updatedAt: '2027-01-01T00:00:00Z',
      version: 3,
    },
    bookings: [],
    bookingAnswers: [],
    cardAnswers: [],
    byKey: new Map(),
  };
}

/** The calls of the signed-in side, answered from `account`. */
export function accountHandlers(account: Account) {
  const find = (id: unknown) => account.bookings.find((one) => one.id === id);
  const storeCard = async () => {
    const said = account.cardAnswers.shift();
    if (said) return said();
    account.profile = {
      ...account.profile,
      wallet: { customerId: 'cust-1', card: { brand: 'visa', last4: '1111', expiry: '05/2030' } },
    };
    return HttpResponse.json(account.profile.wallet);
  };
  return [
    http.post('*/identity/api/sign-out', () => new HttpResponse(null, { status: 204 })),
    http.get('*/identity/api/session', () => HttpResponse.json({ pendingEmail: null })),
    http.get('*/api/profiles/', () => HttpResponse.json(account.profile)),
    http.post('*/simulators/braintree/tokenize', () =>
      HttpResponse.json({ nonce: 'tokencc_1', card: { brand: 'visa', last4: '1111', expiry: '05/2030' } }),
    ),
    http.post('*/api/payment', storeCard),
    http.post('*/api/payment/card', storeCard),
    http.post('*/api/holds/:id/extend', ({ params }) =>
      HttpResponse.json({
        id: params['id'],
        expiresAt: new Date(Date.now() + 600_000).toISOString(),
        startsAt: '2027-02-17T14:00:00Z',
      }),
    ),
    http.post('*/api/bookings', async ({ request }) => {
      const key = request.headers.get('Idempotency-Key') ?? '';
      const known = account.byKey.get(key);
      if (known) return HttpResponse.json(known, { status: 201, headers: { 'Idempotency-Replayed': 'true' } });
      const said = account.bookingAnswers.shift();
      if (said) return said();
      const booking = someBooking({ id: `0192-${account.bookings.length + 1}` });
      account.bookings.unshift(booking);
      account.byKey.set(key, booking);
      return HttpResponse.json(booking, { status: 201 });
    }),
    http.get('*/api/bookings/previous', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 5)];
      return HttpResponse.json({
        data: account.bookings.slice((page - 1) * perPage, page * perPage),
        total: account.bookings.length,
        page,
        perPage,
      });
    }),
    // no document of any booking, where nobody says another thing
    http.get('*/api/invoices/:id', () => problem(404, 'not_found', 'Not found')),
    http.get('*/api/c/bookings/:id', ({ params }) => {
      const booking = find(params['id']);
      return booking ? HttpResponse.json(booking) : problem(404, 'not_found', 'Not found');
    }),
    http.get('*/api/c/bookings/:id/cancellation', () =>
      HttpResponse.json({
        at: '2027-02-03T15:00:00Z',
        kept: '89.45',
        refunded: '0.00',
        refundNow: '0.00',
        toCharge: '0.00',
        owed: '0.00',
        rule: 'deposit',
      }),
    ),
    http.put('*/api/c/bookings/cancel/:id', ({ params }) => {
      const cancelled = someBooking({
        id: String(params['id']),
        status: 'cancelled',
        cancelledAt: '2027-02-03T15:00:00Z',
        kept: '89.45',
        mayCancel: false,
        mayEdit: false,
      });
      account.bookings = account.bookings.map((one) => (one.id === cancelled.id ? cancelled : one));
      return HttpResponse.json(cancelled);
    }),
  ];
}
