import type {
  Availability,
  Crews,
  DayPrices,
  Estimate,
  EstimateRequest,
  GeoResult,
  PaymentPlan,
  Province,
  PublicConfig,
} from '@portage/api';

import { furniture, presets, rooms } from './mock-furniture.ts';
import { mockFigures, mockTerms } from './mock-policy.ts';

/**
 * A stand-in of the API for screen tests and for building screens without a server: right shapes, simple rules,
 * in memory. Failures are asked for by sentinel input (a discount code, a street name), so they can be repeated by hand.
 */

export const mockConfig: PublicConfig = {
  mode: 'demo',
  issuer: 'http://localhost:8080/identity',
  clientId: 'portage-web',
  audience: 'portage-api',
  signIn: { provider: 'embedded', consent: false },
  supportEmail: 'help@portage.test',
  supportPhone: '514-555-0100',
  companyName: 'Portage',
  companyLogo: null,
  companyNumbers: { gst: null, qst: null, neq: null },
  payments: { provider: 'simulator' },
  chat: { provider: 'none' },
  policy: { figures: mockFigures, terms: [...mockTerms], differsByProvince: false },
  version: 'test',
};

const place = (
  street: string,
  city: string,
  province: Province,
  postalCode: string,
  lat: number,
  lon: number,
  area: string | null,
): GeoResult => ({
  fullAddress: `${street}, ${city}, ${province} ${postalCode}, Canada`,
  street,
  city,
  province,
  postalCode,
  country: 'Canada',
  lat,
  lon,
  served: area !== null,
  area,
});

export const places: GeoResult[] = [
  place('1200 Rue Peel', 'Montréal', 'QC', 'H3B 2T6', 45.4995, -73.573, 'greater-montreal'),
  place('300 Boulevard Saint-Martin Ouest', 'Laval', 'QC', 'H7M 1Z1', 45.59, -73.72, 'greater-montreal'),
  place('3575 Avenue du Parc', 'Montréal', 'QC', 'H2X 3P9', 45.511, -73.573, 'greater-montreal'),
  place('1200 Rue Sherbrooke Ouest', 'Montréal', 'QC', 'H3A 1H6', 45.499, -73.578, 'greater-montreal'),
  place('4500 Boulevard Saint-Martin Ouest', 'Laval', 'QC', 'H7T 2Y3', 45.556, -73.744, 'greater-montreal'),
  place('200 Granville Street', 'Vancouver', 'BC', 'V6C 1S4', 49.286, -123.113, 'greater-vancouver'),
  place('900 Rue King Ouest', 'Sherbrooke', 'QC', 'J1H 1S2', 45.401, -71.91, null),
  place('75 Rue Saint-Jean', 'Québec', 'QC', 'G1R 1N8', 46.811, -71.22, null),
  place('1 Nowhere Road', 'Bowen Island', 'BC', 'V0N 1G0', 49.38, -123.37, 'greater-vancouver'),
];

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'X-Request-Id': 'req-mock-1' } });
}

function problem(status: number, code: string, detail: string): Response {
  return new Response(JSON.stringify({ type: 'about:blank', title: code, status, code, detail }), {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'req-mock-1' },
  });
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const dollars = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Saturdays and Sundays cost more. */
function dayOf(date: string | null): { factor: string; label: string | null } {
  const weekday = date ? new Date(`${date}T12:00:00Z`).getUTCDay() : 1;
  if (weekday === 6) return { factor: '1.10', label: 'Saturday' };
  return weekday === 0 ? { factor: '1.10', label: 'Sunday' } : { factor: '1.00', label: null };
}

/** Not the real model: 118 dollars an hour for two, one hour per 100 cubic feet. */
export function mockEstimate(request: EstimateRequest): Estimate {
  const chosen = request.selectedFurnitures.furnitures.map((line) => ({
    ...line,
    piece: furniture.find((one) => one.id === line.id),
  }));
  const tenths = chosen.reduce(
    (sum, line) => sum + Math.round(Number(line.piece?.cubicFeet ?? 0) * 10) * line.quantity,
    0,
  );
  const duration = Math.max(120, Math.ceil((tenths / 10 / 100) * (8 / Math.max(2, request.mateCount))) * 15);
  const day = dayOf(request.movingDate ?? null);
  const hourly = Math.round((8000 + 3800 * (request.mateCount - 1)) * Number(day.factor));
  const labour = Math.floor((hourly * duration + 30) / 60);
  const travel = Math.floor(hourly / 2);
  const truck = request.justMates ? 0 : 3500;
  const original = labour + travel + truck + (request.rideAlong ? 3000 : 0);
  const discount = request.discountCode === 'WELCOME10' ? Math.floor((original + 5) / 10) : 0;
  const amount = original - discount;
  const tax = Math.floor((amount * 14_975 + 50_000) / 100_000);
  const gst = Math.floor((amount * 5 + 50) / 100);
  const heavy = chosen.some((line) => line.piece?.weightClass === 'heavy');
  const warnings: Estimate['warnings'] = [];
  if (chosen.some((line) => line.id === 'hot-tub'))
    warnings.push({ code: 'contact_support', items: [{ id: 'hot-tub', name: 'Hot tub' }] });
  else if (chosen.some((line) => line.id === 'piano-baby-grand') && request.mateCount < 4)
    warnings.push({ code: 'contact_support', items: [{ id: 'piano-baby-grand', name: 'Baby grand piano' }] });
  else if (chosen.some((line) => line.id === 'piano-upright') && request.mateCount < 3)
    warnings.push({
      code: 'min_mates',
      mates: 3,
      items: [{ id: 'piano-upright', name: 'Upright piano' }],
    });
  if (heavy && request.mateCount === 1 && !request.clientAsMate) warnings.push({ code: 'heavy_item_single_mate' });
  const line = (type: Estimate['lines'][number]['type'], code: string, description: string, cents: number) => ({
    type,
    code,
    description,
    quantity: '1.00',
    unit: 'flat',
    unitPrice: '0.00',
    multiplier: '1.00',
    period: 'base',
    amount: cents < 0 ? `-${dollars(-cents)}` : dollars(cents),
    ownFactor: '1.00',
    dateFactor: day.factor,
    explanation: `The sum of this line is ${dollars(Math.abs(cents))}.`,
  });
  return {
    amount: dollars(amount),
    originalAmount: dollars(original),
    discount: dollars(discount),
    currency: 'CAD',
    tax: dollars(tax),
    taxType: 'gst+qst',
    taxComponents: [
      { name: 'gst', rate: '0.05', amount: dollars(gst) },
      { name: 'qst', rate: '0.09975', amount: dollars(tax - gst) },
    ],
    total: dollars(amount + tax),
    discountRefused: discount === 0 && Boolean(request.discountCode),
    discountCode: discount > 0 ? (request.discountCode ?? null) : null,
    tier: tenths <= 4000 ? 1 : 2,
    duration,
    is_duration_within_limit: duration <= 600,
    totalCubicFeet: `${Math.floor(tenths / 10)}.${tenths % 10}`,
    bigItems: chosen.reduce((sum, one) => sum + (Number(one.piece?.cubicFeet ?? 0) >= 50 ? one.quantity : 0), 0),
    smallItems: chosen.reduce((sum, one) => sum + (Number(one.piece?.cubicFeet ?? 0) < 50 ? one.quantity : 0), 0),
    minMates: heavy ? 2 : 1,
    warnings,
    dateLabel: day.label,
    hints: request.locationDetails?.[0]?.parking ? [] : [{ code: 'pickup_parking', difference: '-38.00' }],
    effectiveKind: request.moveKind ?? 'residential',
    lines: [
      line('regular', 'labour', `${request.mateCount} × ${duration} min`, labour),
      line('regular', 'travel_fee', '30 min', travel),
      ...(truck > 0 ? [line('other', 'truck_fee', '', truck)] : []),
      ...(request.rideAlong ? [line('rideAlong', 'ride_along', '', 3000)] : []),
      ...(discount > 0 ? [line('discount', 'WELCOME10', '', -discount)] : []),
    ],
    rateId: '01934f3e-0000-7000-8000-000000000001',
    rateVersion: 1,
  };
}

function crews(request: EstimateRequest): Crews {
  const all = [1, 2, 3, 4].map((mateCount) => ({ mateCount, ...mockEstimate({ ...request, mateCount }) }));
  const bookable = all.filter((one) => one.warnings.length === 0);
  const least = Math.min(...bookable.map((one) => Number(one.total)));
  const soonest = Math.min(...bookable.map((one) => one.duration));
  return {
    crews: all.map(({ mateCount, amount, total, duration, warnings }) => ({
      mateCount,
      amount,
      total,
      duration,
      warnings,
      labels: [
        ...(warnings.length === 0 && Number(total) === least ? (['cheapest'] as const) : []),
        ...(warnings.length === 0 && duration === soonest ? (['fastest'] as const) : []),
        ...(warnings.some((one) => one.items?.length) ? (['refused_heavy_item'] as const) : []),
      ],
    })),
  };
}

function prices(request: EstimateRequest, from: string, count: number): DayPrices {
  const days = Array.from({ length: count }, (_, index) => {
    const date = addDays(from, index);
    const { amount, total } = mockEstimate({ ...request, movingDate: date });
    const { factor, label } = dayOf(date);
    return { date, amount, total, factor, period: label ? 'weekend' : null, label, open: !date.endsWith('-13') };
  });
  const open = days.filter((day) => day.open);
  const least = Math.min(...open.map((day) => Number(day.total)));
  return { days, cheapest: open.find((day) => Number(day.total) === least)?.date ?? null };
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function availability(query: URLSearchParams): Availability {
  const first = query.get('date') ?? '2027-02-01';
  const west = query.get('province') === 'BC';
  const days = Array.from({ length: Number(query.get('days') ?? 1) }, (_, index) => {
    const date = addDays(first, index);
    const closed = date.endsWith('-12-25') || date.endsWith('-01-01');
    const full = date.endsWith('-13');
    const slots = closed
      ? []
      : Array.from({ length: 17 }, (_, half) => {
          const minutes = 8 * 60 + half * 30;
          const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
          return {
            time,
            startsAt: new Date(Date.parse(`${date}T${time}:00Z`) + (west ? 7 : 5) * 3_600_000).toISOString(),
            available: !full && half % 5 !== 4,
          };
        });
    return { date, closed, slots };
  });
  return { zone: west ? 'America/Vancouver' : 'America/Toronto', hub: 'montreal', days };
}

export function paymentPlan(total: string, moveAt: string, bookedAt: string): PaymentPlan {
  const cents = Math.round(Number(total) * 100);
  const deposit = Math.floor((cents + 2) / 5);
  const plus = (instant: string, hours: number) => new Date(Date.parse(instant) + hours * 3_600_000).toISOString();
  const h24 = plus(bookedAt, 24);
  const h48 = plus(moveAt, -48);
  return {
    mode: 'split',
    charges: [
      { kind: 'deposit', dueAt: h24, amount: dollars(deposit) },
      { kind: 'balance', dueAt: h48, amount: dollars(cents - deposit) },
    ],
    cancellation: [
      { from: bookedAt, until: h24, untilInclusive: true, kept: '0.00' },
      { from: h24, until: h48, untilInclusive: false, kept: dollars(deposit) },
      { from: h48, until: null, untilInclusive: false, kept: dollars(cents) },
    ],
    terms: [...mockTerms],
    policy: mockFigures,
    zone: 'America/Toronto',
  };
}

/** Slots that somebody else has just taken: choosing one answers 409 as the real server does. */
export const takenSlots = new Set<string>(['08:30']);

let holds = 0;

export async function mockApi(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const route = `${request.method} ${url.pathname.replace(/^\/api/, '')}`;
  const body =
    request.method === 'POST' || request.method === 'PUT'
      ? ((await request.json().catch(() => ({}))) as Record<string, unknown>)
      : {};
  switch (route) {
    case 'GET /config':
      return json(mockConfig);
    case 'GET /rates/active':
      return json({
        id: 'rate-1',
        name: 'standard',
        version: 1,
        currency: 'CAD',
        max_online_heads: 4,
      });
    case 'GET /furniture':
      return json({ data: furniture, presets, rooms });
    case 'POST /booking/estimate': {
      const estimate = body as unknown as EstimateRequest;
      if (estimate.discountCode === 'FAIL500') return problem(500, 'internal', '');
      return json(mockEstimate(estimate));
    }
    case 'POST /booking/crews':
      return json(crews(body as unknown as EstimateRequest));
    case 'POST /booking/prices':
      return json(prices(body as unknown as EstimateRequest, String(body['from']), Number(body['days'] ?? 42)));
    case 'POST /booking/payment-plan':
      return json(
        paymentPlan(
          String(body['total']),
          String(body['moveAt']),
          typeof body['bookedAt'] === 'string' ? body['bookedAt'] : new Date().toISOString(),
        ),
      );
    case 'POST /discount': {
      const code = String(body['discountCode']);
      if (code === 'FAIL500') return problem(500, 'internal', '');
      if (code !== 'WELCOME10' && code !== 'WINTER5')
        return problem(404, 'discount_not_found', 'Discount code does not exists or has already expired!');
      return json({ code, kind: 'percent', value: '10.00', validFrom: null, validUntil: null });
    }
    case 'GET /availability':
      return json(availability(url.searchParams));
    case 'POST /holds': {
      if (takenSlots.has(String(body['time'])))
        return problem(
          409,
          'slot_gone',
          'The time you are booking is not available anymore. Please schedule another time.',
        );
      holds += 1;
      return json(
        {
          id: `hold-${holds}`,
          expiresAt: new Date(Date.now() + 15 * 60_000).toISOString(),
          startsAt: `${String(body['date'])}T14:00:00Z`,
          arrivalWindow: { from: '08:30', until: '09:30' },
        },
        201,
      );
    }
    case 'GET /geo/search': {
      const query = plain(url.searchParams.get('q') ?? '');
      if (query.includes('fail500')) return problem(500, 'internal', '');
      return json({
        data: places.filter((one) => query.split(/[\s,]+/).every((word) => plain(one.fullAddress).includes(word))),
      });
    }
    case 'GET /geo/reverse': {
      if (url.searchParams.get('lat') === '44')
        return problem(422, 'province_not_served', 'Province not serviceable yet, defaulting to Quebec');
      return json(places[0]);
    }
    case 'POST /geo/route': {
      const text = JSON.stringify(body);
      if (text.includes('49.38')) return problem(422, 'no_route', 'No route was found between these two addresses.');
      return json({
        durationSeconds: 1500,
        distanceMeters: 12_400,
        geometry: { type: 'LineString', coordinates: [] },
        warnings: [],
      });
    }
    default:
      if (request.method === 'DELETE' && url.pathname.startsWith('/api/holds/'))
        return new Response(null, { status: 204 });
      return problem(404, 'not_found', 'Not found');
  }
}
