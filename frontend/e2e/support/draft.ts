import { expect } from '@playwright/test';

import type { Person } from './account.ts';
import { retrying } from './retrying.ts';
import { inLanguage, keep, signedUp } from './signed-in.ts';
import type { Walk } from './wizard.ts';

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

interface Begin {
  /** Who has just made an account and is signed in; nobody is otherwise. */
  person?: Person;
  /** The page that is opened with the draft. */
  at?: string;
  /** The first day and the number of days of which one is taken. */
  earliest?: Date;
  days?: number;
  /** Floors up to the pickup's door. */
  floor?: number;
  /** 1 is how the version before kept it. */
  version?: 1 | 2;
}

/**
 * A finished draft laid into the browser's storage, and a page opened with it, which is the payment if nothing else is
 * said: for tests of what comes after the wizard, which has its own, as signing up has. Addresses and start come from the
 * server.
 */
export async function draftAMove({ page, language }: Walk, begin: Begin = {}): Promise<void> {
  const {
    person,
    at = '/payment',
    floor = 0,
    earliest = new Date(Date.now() + 14 * 86_400_000),
    days = 28,
    version = 2,
  } = begin;
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
      : { ends: { pickup: { ...end(pickup), floor }, dropoff: end(dropoff) } }),
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
  await keep(page, '', {
    ...inLanguage(language),
    ...(person ? await signedUp(page, language, person) : {}),
    [version === 1 ? 'portage.draft' : draftKey]: JSON.stringify({ version, revision: 1, draft }),
  });
  await page.goto(at);
}
