import { type APIRequestContext, type Browser, expect, type Page } from '@playwright/test';

import { retrying } from './retrying.ts';
import { signedIn } from './signed-in.ts';

/** Of the demonstration's office. */
export const ops = { email: 'ops@portage.test', password: 'portage-demo-2027' };

export interface Desk {
  headers: Record<string, string>;
  request: APIRequestContext;
  page: Page;
}

/** Somebody of the office, signed in in a browser of their own; their token answers for the calls of this test. */
export async function office(browser: Browser, url: string): Promise<Desk> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  let token = '';
  page.on('request', (request) => {
    if (request.url().includes('/api/')) token = request.headers()['authorization'] ?? token;
  });
  await signedIn(page, 'en', ops, url);
  await page.goto(`${url}/dashboard/bookings`);
  await expect(page.getByRole('grid')).toBeVisible();
  expect(token).toMatch(/^Bearer /);
  return { headers: { Authorization: token }, request: page.request, page };
}

export interface Job {
  id: string;
  shortId: string;
  startsAt: string;
}

/** A move that somebody asked for by telephone; nobody is on it. */
export async function bookedByPhone(desk: Desk, url: string, day: Date, name: string, time = '09:00'): Promise<string> {
  const address = (street: string, postalCode: string) => ({
    country: 'Canada',
    province: 'QC',
    postalCode,
    city: 'Montréal',
    street,
    fullAddress: `${street}, Montréal, QC ${postalCode}, Canada`,
  });
  const date = day.toISOString().slice(0, 10);
  const made = await desk.request.post(`${url}/api/bookings`, {
    ...retrying,
    headers: desk.headers,
    data: {
      bookingRequest: {
        pickup: address('3500 Rue Saint-Urbain', 'H2X 1Y4'),
        dropoff: address('4100 Rue Notre-Dame Ouest', 'H4C 1K4'),
        pickupCoords: { lat: 45.5128, lon: -73.5716 },
        dropoffCoords: { lat: 45.478, lon: -73.585 },
        pickupFloor: 1,
        dropoffFloor: 0,
        pickupHasElevator: 0,
        dropoffHasElevator: 0,
        pickupHasParking: true,
        dropoffHasParking: true,
        date,
        time,
        bookingType: 'residential',
        selectedFurnitures: [
          { id: 'couch-3-seats', quantity: 1 },
          { id: 'box-medium-3-1', quantity: 12 },
        ],
        mateCount: 2,
        clientAsMate: false,
        justMates: false,
        rideAlong: false,
        guidelinesAgreed: true,
        comments: 'Third door on the left',
      },
      customer: {
        email: `${name.toLowerCase()}@example.test`,
        firstName: name,
        lastName: 'Caron',
        phone: '514-555-0199',
        language: 'en',
      },
      payment: 'onSite',
    },
  });
  expect(made.status(), await made.text()).toBe(201);
  return ((await made.json()) as { id: string }).id;
}

/** The mate who signs in with this address, put on a move. */
export async function sent(desk: Desk, url: string, id: string, email: string): Promise<Job> {
  const ask = { ...retrying, headers: desk.headers };
  const mates = await desk.request.get(`${url}/api/mate?page=1&per_page=100`, ask);
  const { data } = (await mates.json()) as { data: { id: string; email: string }[] };
  const who = data.find((one) => one.email === email);
  const named = await desk.request.put(`${url}/api/bookings/${id}/crew`, { ...ask, data: { mates: [who?.id] } });
  expect(named.status(), await named.text()).toBe(200);
  return (await named.json()) as Job;
}
