import type { EstimateRequest, RateCard, RatePreview, RateVersion, RepricedBooking } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';
import rateCard from './rate-card.json';

/** The versions of the rate cards, the highest first, and the bookings that a preview prices. */
export interface Rates {
  versions: RateCard[];
  bookings: { bookingId: string; shortId: string; moveDate: string; hours: number }[];
  /** Bookings that cannot be priced. */
  failed: number;
}

/** The figures of a card, as the calls have them. */
export function someFigures(): RateCard['card'] {
  return structuredClone(rateCard) as RateCard['card'];
}

export function someRate(change: Partial<RateCard> = {}): RateCard {
  return {
    id: 'rate-1',
    name: 'standard',
    version: 1,
    state: 'active',
    effectiveFrom: '2027-01-01T05:00:00Z',
    effectiveTo: null,
    latestVersion: 1,
    card: someFigures(),
    ...change,
  };
}

export function freshRates(): Rates {
  // midnight in Montreal: nobody may plan more than ten years ahead
  const planned = `${new Date().getFullYear() + 1}-03-01T05:00:00Z`;
  const booking = (n: number, hours: number) => ({
    bookingId: `00000000-0000-7000-8000-00000000000${n}`,
    shortId: `PTG${n}0K`,
    moveDate: '2027-02-17',
    hours,
  });
  return {
    versions: [
      someRate({ id: 'rate-3', version: 3, state: 'planned', effectiveFrom: planned }),
      someRate({ id: 'rate-2', version: 2, effectiveTo: planned }),
      someRate({ state: 'past', effectiveTo: '2027-02-01T05:00:00Z' }),
    ],
    bookings: [booking(1, 2), booking(2, 6), booking(3, 4)],
    failed: 1,
  };
}

const hourly = (card: RateCard['card'] | undefined): number => {
  const rates = card?.['rates'] as { default: { first_mate_hourly: string } } | undefined;
  return Number(rates?.default.first_mate_hourly ?? 0);
};
const dollars = (amount: number) => amount.toFixed(2);

/** Prices by the hour of the first mate alone; an example takes an hour a mate. */
function priced({ bookings, failed, versions }: Rates, card: RateCard['card'], moves: EstimateRequest[]): RatePreview {
  const standard = hourly(versions.find((one) => one.state === 'active')?.card);
  const data = bookings.map(({ hours, ...booking }): RepricedBooking => {
    const [old, now] = [standard * hours, hourly(card) * hours];
    return { ...booking, booked: dollars(old), old: dollars(old), new: dollars(now), difference: dollars(now - old) };
  });
  const sum = (of: (row: RepricedBooking) => string) => dollars(data.reduce((all, row) => all + Number(of(row)), 0));
  const size = (row: RepricedBooking) => Math.abs(Number(row.difference));
  const worst = [...data].sort((one, other) => size(other) - size(one))[0];
  return {
    data,
    count: data.length,
    failed,
    oldSum: sum((row) => row.old),
    newSum: sum((row) => row.new),
    difference: sum((row) => row.difference),
    worst: worst ? { bookingId: worst.bookingId, difference: worst.difference } : null,
    examples: moves.map(({ mateCount }) => {
      const [old, now] = [standard * mateCount, hourly(card) * mateCount];
      const minutes = mateCount * 60;
      return {
        old: dollars(old),
        new: dollars(now),
        difference: dollars(now - old),
        oldDuration: minutes,
        newDuration: minutes,
      };
    }),
  };
}

/** The calls of rate cards, answered from `rates`. */
export function rateHandlers(
  rates: Rates,
  note: (request: Request) => Promise<void>,
  page: (rows: readonly object[], url: URL) => Response,
) {
  const find = (id: unknown) => rates.versions.find((one) => one.id === id);
  const latest = () => Math.max(0, ...rates.versions.map(({ version }) => version));
  const missing = () => problem(404, 'not_found', 'Not found');
  return [
    http.get('*/api/rates', async ({ request }) => {
      await note(request);
      const rows = rates.versions.map(({ id, name, version, state, effectiveFrom, effectiveTo }): RateVersion => ({
        id,
        name,
        version,
        state,
        effectiveFrom,
        effectiveTo: effectiveTo ?? null,
      }));
      return page(rows, new URL(request.url));
    }),
    http.post('*/api/rates', async ({ request }) => {
      await note(request);
      const made = someRate();
      rates.versions = [made];
      return HttpResponse.json(made, { status: 201 });
    }),
    http.get('*/api/rates/:id', ({ params }) => {
      const found = find(params['id']);
      return found ? HttpResponse.json({ ...found, latestVersion: latest() }) : missing();
    }),
    http.put('*/api/rates/:id', async ({ request, params }) => {
      await note(request);
      const old = find(params['id']);
      if (!old) return missing();
      if (request.headers.get('If-Match') !== `"${latest()}"`)
        return problem(412, 'version_conflict', 'Changed meanwhile.');
      const { card, effectiveFrom } = (await request.json()) as Pick<RateCard, 'card'> & { effectiveFrom?: string };
      const version = latest() + 1;
      const made = someRate({
        id: `rate-${version}`,
        version,
        card,
        ...(effectiveFrom ? { state: 'planned', effectiveFrom } : {}),
      });
      rates.versions = [made, ...rates.versions];
      return HttpResponse.json({ ...made, latestVersion: version });
    }),
    http.delete('*/api/rates/:id', async ({ request, params }) => {
      await note(request);
      const old = find(params['id']);
      if (!old) return missing();
      if (old.state !== 'planned') return problem(409, 'rate_in_use', 'It has begun.');
      rates.versions = rates.versions.filter((one) => one !== old);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/rates/:id/preview', async ({ request, params }) => {
      await note(request);
      const old = find(params['id']);
      if (!old) return missing();
      const { card, examples } = (await request.json()) as { card?: RateCard['card']; examples?: EstimateRequest[] };
      return HttpResponse.json(priced(rates, card ?? old.card, examples ?? []));
    }),
  ];
}
