import { Buffer } from 'node:buffer';

import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test';

import { signIn } from '../support/account.ts';
import { checkPage } from '../support/page-checks.ts';
import { retrying } from '../support/retrying.ts';
import { startServer, type TestServer, tuesdayMorning } from '../support/server.ts';
import { photographer } from '../support/shoot.ts';
import { type Language, text } from '../support/texts.ts';

const password = 'portage-demo-2027';
const ops = { email: 'ops@portage.test', password };
const mate = { email: 'mate@portage.test', password };
const say = (language: Language, key: string, values: Record<string, string | number> = {}) =>
  text(language, `ops/${key}`, values);

/** What a telephone's camera would give: a picture of one colour, drawn by the browser itself. */
async function photo(page: Page, colour: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const data = await page.evaluate((fill) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
    const pen = canvas.getContext('2d');
    if (!pen) throw new Error('no canvas');
    pen.fillStyle = fill;
    pen.fillRect(0, 0, 640, 480);
    pen.fillStyle = '#fff';
    pen.fillRect(80, 160, 480, 220);
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
  }, colour);
  return { name: `${colour}.jpg`, mimeType: 'image/jpeg', buffer: Buffer.from(data, 'base64') };
}

interface Desk {
  headers: Record<string, string>;
  request: APIRequestContext;
  page: Page;
}

/** Somebody of the office, signed in in a browser of their own; their token answers for the calls of this test. */
async function office(browser: Browser, url: string): Promise<Desk> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  let token = '';
  page.on('request', (request) => {
    if (request.url().includes('/api/')) token = request.headers()['authorization'] ?? token;
  });
  await page.goto(`${url}/dashboard/bookings?lang=en`);
  await signIn(page, 'en', ops);
  await expect(page.getByRole('grid')).toBeVisible();
  expect(token).toMatch(/^Bearer /);
  return { headers: { Authorization: token }, request: page.request, page };
}

interface Job {
  id: string;
  shortId: string;
  startsAt: string;
}

/** A move that somebody asked for by telephone, with the demo's mate on it. */
async function jobOn(desk: Desk, url: string, day: Date, name: string): Promise<Job> {
  const ask = { ...retrying, headers: desk.headers };
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
    ...ask,
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
        time: '09:00',
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
  const { id, shortId } = (await made.json()) as { id: string; shortId: string };
  const mates = await desk.request.get(`${url}/api/mate?page=1&per_page=100`, ask);
  const { data } = (await mates.json()) as { data: { id: string; email: string }[] };
  const him = data.find(({ email }) => email === mate.email);
  const named = await desk.request.put(`${url}/api/bookings/${id}/crew`, {
    ...ask,
    data: { mates: [him?.id] },
  });
  expect(named.status(), await named.text()).toBe(200);
  const { startsAt } = (await named.json()) as { startsAt: string };
  return { id, shortId, startsAt };
}

const later = (instant: string, minutes: number) => new Date(Date.parse(instant) + minutes * 60_000);
const button = (page: Page, language: Language, key: string) =>
  page.getByRole('button', { name: say(language, key), exact: true });

/**
 * A telephone whose clock says what the server's file says. The `Date` of an answer is this machine's, which would move every
 * press to today: the page does not hear it.
 */
async function atThatTime(page: Page, instant: Date): Promise<void> {
  await page.addInitScript(() => {
    const told = Object.getOwnPropertyDescriptor(Headers.prototype, 'get')?.value as Headers['get'];
    Headers.prototype.get = function get(name) {
      return name === 'Date' ? null : told.call(this, name);
    };
  });
  // what replaces the whole clock also replaces the list of files that a page has loaded, which the worker is handed
  await page.addInitScript((now) => {
    const real = Date.now.bind(Date);
    const ahead = now - real();
    const moved = { ahead };
    Date.now = () => real() + moved.ahead;
    Object.assign(window, { moved });
  }, instant.getTime());
}

/** The same clock, later on. */
async function moveClock(page: Page, minutes: number): Promise<void> {
  await page.evaluate((by) => {
    (window as unknown as { moved: { ahead: number } }).moved.ahead += by * 60_000;
  }, minutes);
}

async function asMate(page: Page, url: string, language: Language, instant: Date): Promise<void> {
  await atThatTime(page, instant);
  await page.goto(`${url}/dashboard/my-jobs?lang=${language}`);
  await signIn(page, language, mate);
  await expect(page.getByRole('heading', { level: 1, name: say(language, 'myJobs:title') })).toBeVisible();
}

const jobLink = (page: Page, { id }: Job) => page.locator(`a[href$="/my-jobs/${id}"]`);

/** Without network, as behind a thick wall: the page stays open. */
async function cut(page: Page, off: boolean): Promise<void> {
  await page.context().setOffline(off);
}

test.describe('the telephone of a mate', { tag: '@phone' }, () => {
  let server: TestServer;
  test.beforeEach(async () => {
    server = await startServer(tuesdayMorning());
  });
  test.afterEach(async () => {
    await server.stop();
  });

  test('a day with and without signal', async ({ page, browser }) => {
    const morning = await office(browser, server.url);
    const day = (days: number) => new Date(tuesdayMorning().getTime() + days * 86_400_000);
    const [mine, other] = [
      await jobOn(morning, server.url, day(2), 'Camille'),
      await jobOn(morning, server.url, day(3), 'Renaud'),
    ];
    await morning.page.context().close();
    const began = later(mine.startsAt, 2);
    server.setClock(began);
    // a token of that day: the first one has run out
    const desk = await office(browser, server.url);
    const shoot = photographer(page, 'mate-phone');

    await asMate(page, server.url, 'en', began);
    await checkPage(page);
    await shoot('list');
    // one job is not his: it waits for a crew again
    await jobLink(page, other).click();
    await expect(
      page.getByRole('heading', {
        level: 1,
        name: say('en', 'myJobs:job', { number: other.shortId }),
      }),
    ).toBeVisible();
    await button(page, 'en', 'myJobs:act.decline').click();
    await expect(page.getByText(say('en', 'myJobs:gone'))).toBeVisible();
    const queue = await desk.request.get(
      `${server.url}/api/dispatch?hub=montreal&from=${day(3).toISOString().slice(0, 10)}`,
      {
        ...retrying,
        headers: desk.headers,
      },
    );
    expect(((await queue.json()) as { unassigned: string[] }).unassigned).toContain(other.id);

    await page.getByRole('link', { name: say('en', 'myJobs:back') }).click();
    await jobLink(page, mine).click();
    await button(page, 'en', 'myJobs:act.accept').click();
    await expect(page.getByText(say('en', 'myJobs:state.accepted'), { exact: true })).toBeVisible();
    await checkPage(page);

    // in the stairwell there is no signal
    await cut(page, true);
    await button(page, 'en', 'myJobs:act.start').click();
    await page.getByTestId('photo-before').setInputFiles(await photo(page, 'teal'));
    await page.getByLabel(say('en', 'myJobs:note.new')).fill('The lift is out of order');
    await button(page, 'en', 'myJobs:note.save').click();
    await expect(page.getByText(say('en', 'myJobs:waiting_other', { count: 3 }))).toBeVisible();
    await checkPage(page);
    await shoot('waiting');
    // nothing of it has reached anybody
    const report = async () => {
      const asked = await desk.request.get(`${server.url}/api/bookings/${mine.id}/crew/report`, {
        ...retrying,
        headers: desk.headers,
      });
      return (await asked.json()) as {
        startedAt?: string;
        workedMinutes?: number;
        photos: { stage: string; at: string }[];
      };
    };
    expect(await report()).toMatchObject({ photos: [] });

    // eleven minutes later he is outside again
    server.setClock(later(mine.startsAt, 13));
    await moveClock(page, 11);
    await cut(page, false);
    await expect(page.getByText(say('en', 'myJobs:waiting_other', { count: 3 }))).toHaveCount(0);
    await expect(page.getByRole('img', { name: say('en', 'crewJob:photo.before', { n: 1 }) })).toBeVisible();
    const told = await report();
    expect(told.photos.map(({ stage }) => stage)).toEqual(['before']);
    // the instant of the press, not the one it arrived at
    for (const at of [told.startedAt, told.photos[0]?.at]) {
      expect(Math.abs(Date.parse(at ?? '') - began.getTime())).toBeLessThan(4 * 60_000);
    }

    await page.getByTestId('photo-after').setInputFiles(await photo(page, 'purple'));
    await expect(page.getByRole('img', { name: say('en', 'crewJob:photo.after', { n: 1 }) })).toBeVisible();
    server.setClock(later(mine.startsAt, 14));
    await moveClock(page, 1);
    await button(page, 'en', 'myJobs:act.finish').click();
    await expect(page.getByText(/^You worked /)).toBeVisible();
    await checkPage(page);
    await shoot('finished');
    expect((await report()).workedMinutes).toBeGreaterThan(7);

    // the office reads all of it in the record
    await desk.page.goto(`${server.url}/dashboard/bookings/${mine.id}?lang=en`);
    await expect(desk.page.getByRole('img', { name: say('en', 'crewJob:photo.after', { n: 1 }) })).toBeVisible();
    await expect(desk.page.getByText('The lift is out of order').first()).toBeVisible();
    await checkPage(desk.page);
    await photographer(desk.page, 'mate-phone-record')('record');
    await desk.page.context().close();
  });

  test('the pages open without network, show the jobs seen last, and forget them', async ({ page, browser }) => {
    const desk = await office(browser, server.url);
    const mine = await jobOn(desk, server.url, new Date(tuesdayMorning().getTime() + 2 * 86_400_000), 'Camille');
    await desk.page.context().close();
    server.setClock(later(mine.startsAt, 2));
    await asMate(page, server.url, 'en', later(mine.startsAt, 2));
    // the worker has the page and its files, and nothing that is somebody's
    const kept = () =>
      page.evaluate(async () =>
        (await (await caches.open('portage-crew-1')).keys()).map(({ url }) => new URL(url).pathname),
      );
    await expect.poll(async () => (await kept()).length, { timeout: 30_000 }).toBeGreaterThan(8);
    expect((await kept()).filter((path) => !path.startsWith('/dashboard/assets/'))).toEqual(['/dashboard/my-jobs']);
    await cut(page, true);
    await page.reload();
    await expect(page.getByText(/These are the jobs as you saw them last/)).toBeVisible();
    await checkPage(page);
    const shoot = photographer(page, 'mate-phone-offline');
    await shoot('list');
    await jobLink(page, mine).click();
    await expect(page.getByText('3500 Rue Saint-Urbain', { exact: false }).first()).toBeVisible();
    await button(page, 'en', 'myJobs:act.accept').click();
    await expect(page.getByText(say('en', 'myJobs:waiting_one', { count: 1 }))).toBeVisible();
    await shoot('job');
    // it waits through a reload, too
    await page.reload();
    await expect(page.getByText(say('en', 'myJobs:waiting_one', { count: 1 }))).toBeVisible();
    await cut(page, false);
    await expect(page.getByText(/These are the jobs as you saw them last/)).toHaveCount(0, {
      timeout: 30_000,
    });
    await page.getByRole('button', { name: text('en', 'action.signOut') }).click();
    await expect(page.getByLabel(text('en', 'person:email'), { exact: true })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('portage.crew.seen'))).toBeNull();
  });

  for (const language of ['fr', 'zh'] as const)
    test(`the same pages in ${language}, light and dark`, async ({ page, browser }) => {
      const desk = await office(browser, server.url);
      const mine = await jobOn(desk, server.url, new Date(tuesdayMorning().getTime() + 2 * 86_400_000), 'Camille');
      await desk.page.context().close();
      server.setClock(later(mine.startsAt, 2));
      await asMate(page, server.url, language, later(mine.startsAt, 2));
      await checkPage(page, language);
      const shoot = photographer(page, `mate-phone-${language}`);
      await jobLink(page, mine).click();
      await expect(button(page, language, 'myJobs:act.start')).toBeVisible();
      await page.getByTestId('photo-before').setInputFiles(await photo(page, 'teal'));
      await expect(page.getByRole('img', { name: say(language, 'crewJob:photo.before', { n: 1 }) })).toBeVisible();
      await cut(page, true);
      await button(page, language, 'myJobs:act.start').click();
      await expect(page.getByRole('status').filter({ hasText: mine.shortId })).toBeVisible();
      await checkPage(page, language);
      await shoot('light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await shoot('dark');
      await cut(page, false);
    });
});
