import { expect } from '@playwright/test';

import { retrying } from './retrying.ts';
import { appArrived, type Walk } from './wizard.ts';

/** Where the app keeps the draft. */
export const draftKey = 'portage.draft.2';

interface Place {
  fullAddress: string;
  street: string;
  city: string;
  province: string;
  postalCode: string;
  country: string;
  lat: number;
  lon: number;
}

interface Availability {
  zone: string;
  days: { date: string; slots: { time: string; startsAt: string; available: boolean }[] }[];
}

/**
 * A finished draft laid into the browser's storage, and the payment page opened with it: for tests of what comes after
 * the wizard, which has its own. Addresses and start come from the server; the start is one of `days`
 * from `earliest` on. `version` 1 is how the version before kept it.
 */
export async function draftAMove(
  { page, language }: Walk,
  earliest = new Date(Date.now() + 14 * 86_400_000),
  days = 28,
  version: 1 | 2 = 2,
): Promise<void> {
  await page.goto(`/?lang=${language}`);
  // the language is kept by the app, not by the page that came with the document
  await appArrived(page);
  const get = async <T>(path: string): Promise<T> => {
    const response = await page.request.get(path, retrying);
    expect(response.ok(), path).toBe(true);
    return (await response.json()) as T;
  };
  const find = async (query: string): Promise<Place> => {
    const { data } = await get<{ data: Place[] }>(`/api/geo/search?q=${encodeURIComponent(query)}`);
    const place = data[0];
    if (!place) throw new Error(`no place for ${query}`);
    return place;
  };
  const [pickup, dropoff] = [
    await find('1200 rue Peel, Montréal'),
    await find('300 boulevard Saint-Martin Ouest, Laval'),
  ];
  const from = earliest.toISOString().slice(0, 10);
  const offered = await get<Availability>(
    `/api/availability?${new URLSearchParams({ date: from, days: String(days), mateCount: '2', duration: '180', justMates: 'false', province: pickup.province, city: pickup.city, postalCode: pickup.postalCode })}`,
  );
  const open = offered.days.flatMap((day) =>
    day.slots.filter((slot) => slot.available).map((slot) => ({ ...slot, date: day.date })),
  );
  // tests run side by side: none should take the other's start
  const slot = open[Math.floor(Math.random() * open.length)];
  if (!slot) throw new Error('no start is open');
  const address = ({ country, province, postalCode, city, street, fullAddress }: Place) => ({
    country,
    province,
    postalCode,
    city,
    street,
    fullAddress,
    unit: '',
  });
  const coords = ({ lat, lon }: Place) => ({ lat, lon });
  const end = (place: Place) => ({ place: { address: address(place), coords: coords(place), area: null } });
  const draft = {
    ...(version === 1
      ? {
          pickup: address(pickup),
          pickupCoords: coords(pickup),
          dropoff: address(dropoff),
          dropoffCoords: coords(dropoff),
        }
      : { ends: { pickup: end(pickup), dropoff: end(dropoff) } }),
    selectedFurnitures: [
      { id: 'couch-3-seats', quantity: 1 },
      { id: 'box-medium-3-1', quantity: 12 },
    ],
    date: slot.date,
    time: slot.time,
    startsAt: slot.startsAt,
    zone: offered.zone,
    guidelinesAgreed: true,
  };
  const kept: [string, string] = [
    version === 1 ? 'portage.draft' : draftKey,
    JSON.stringify({ version, revision: 1, draft }),
  ];
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), kept);
  await page.goto('/payment');
}
