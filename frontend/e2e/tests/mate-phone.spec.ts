import { Buffer } from 'node:buffer';

import { expect, type Page, test } from '@playwright/test';

import { signIn } from '../support/account.ts';
import { bookedByPhone, type Desk, type Job, office, sent } from '../support/office.ts';
import { checkPage } from '../support/page-checks.ts';
import { retrying } from '../support/retrying.ts';
import { startServer, type TestServer, tuesdayMorning } from '../support/server.ts';
import { photographer } from '../support/shoot.ts';
import { type Language, text } from '../support/texts.ts';

const password = 'portage-demo-2027';
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

/** A move with the demo's mate on it. */
async function jobOn(desk: Desk, url: string, day: Date, name: string): Promise<Job> {
  return sent(desk, url, await bookedByPhone(desk, url, day, name), mate.email);
}

const later = (instant: string, minutes: number) => new Date(Date.parse(instant) + minutes * 60_000);
const button = (page: Page, language: Language, key: string) =>
  page.getByRole('button', { name: say(language, key), exact: true });

/** The telephone keeps its own clock, days behind that of the server's file: presses go by the server's. */
async function asMate(page: Page, url: string, language: Language): Promise<void> {
  await page.goto(`${url}/dashboard/my-jobs?lang=${language}`);
  await signIn(page, language, mate);
  await expect(page.getByRole('heading', { level: 1, name: say(language, 'myJobs:title') })).toBeVisible();
}

const jobLink = (page: Page, { id }: Job) => page.locator(`a[href$="/my-jobs/${id}"]`);

/** From a job to the list of them. */
async function back(page: Page): Promise<void> {
  await page.getByRole('link', { name: say('en', 'myJobs:back') }).click();
  await expect(page.getByRole('heading', { level: 1, name: say('en', 'myJobs:title') })).toBeVisible();
}

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

    await asMate(page, server.url, 'en');
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
    // asked first, and a no changes nothing
    const question = page.getByRole('dialog', {
      name: say('en', 'myJobs:decline.question', { number: other.shortId }),
    });
    await button(page, 'en', 'myJobs:act.decline').click();
    await expect(question.getByText(say('en', 'myJobs:decline.follows'))).toBeVisible();
    await expect(question.getByRole('button', { name: say('en', 'myJobs:decline.keep') })).toBeFocused();
    await checkPage(page);
    await shoot('decline');
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(button(page, 'en', 'myJobs:act.decline')).toBeFocused();
    await button(page, 'en', 'myJobs:act.decline').click();
    await question.getByRole('button', { name: say('en', 'myJobs:decline.confirm') }).click();
    await expect(page.getByText(say('en', 'myJobs:gone'))).toBeVisible();
    const unassigned = async () => {
      const queue = await desk.request.get(
        `${server.url}/api/dispatch?hub=montreal&from=${day(3).toISOString().slice(0, 10)}`,
        { ...retrying, headers: desk.headers },
      );
      return ((await queue.json()) as { unassigned: string[] }).unassigned;
    };
    await expect.poll(unassigned).toContain(other.id);

    await back(page);
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
    await cut(page, false);
    // three wait, then two, then one: each is sent after the other
    for (const count of [3, 2])
      await expect(page.getByText(say('en', 'myJobs:waiting_other', { count }))).toHaveCount(0);
    await expect(page.getByText(say('en', 'myJobs:waiting_one', { count: 1 }))).toHaveCount(0);
    await expect(page.getByRole('img', { name: say('en', 'crewJob:photo.before', { n: 1 }) })).toBeVisible();
    await expect.poll(async () => (await report()).photos.map(({ stage }) => stage)).toEqual(['before']);
    const told = await report();
    // the instant of the press, not the one it arrived at
    for (const at of [told.startedAt, told.photos[0]?.at]) {
      expect(Math.abs(Date.parse(at ?? '') - began.getTime())).toBeLessThan(4 * 60_000);
    }

    await page.getByTestId('photo-after').setInputFiles(await photo(page, 'purple'));
    await expect(page.getByRole('img', { name: say('en', 'crewJob:photo.after', { n: 1 }) })).toBeVisible();
    // with the office as well, which looks once
    await expect.poll(async () => (await report()).photos.length).toBe(2);
    server.setClock(later(mine.startsAt, 14));
    await button(page, 'en', 'myJobs:act.finish').click();
    await expect(page.getByText(/^You worked /)).toBeVisible();
    await checkPage(page);
    await shoot('finished');
    await expect.poll(async () => (await report()).workedMinutes ?? 0).toBeGreaterThan(7);

    // the office reads all of it in the record
    await desk.page.goto(`${server.url}/dashboard/bookings/${mine.id}?lang=en`);
    await expect(desk.page.getByRole('img', { name: say('en', 'crewJob:photo.after', { n: 1 }) })).toBeVisible();
    await expect(desk.page.getByText('The lift is out of order').first()).toBeVisible();
    await checkPage(desk.page);
    await photographer(desk.page, 'mate-phone-record')('record');
    // one photo is taken away, and is gone on the telephone as well
    const first = say('en', 'crewJob:photo.before', { n: 1 });
    await desk.page.getByRole('button', { name: say('en', 'record:work.erase.of', { photo: first }) }).click();
    const asked = desk.page.getByRole('dialog', { name: say('en', 'record:work.erase.question', { photo: first }) });
    await checkPage(desk.page);
    await asked.getByRole('button', { name: say('en', 'record:work.erase'), exact: true }).click();
    await expect(desk.page.getByRole('img', { name: first })).toHaveCount(0);
    await desk.page.context().close();
    await page.reload();
    await expect(page.getByRole('img', { name: say('en', 'crewJob:photo.after', { n: 1 }) })).toBeVisible();
    await expect(page.getByRole('img', { name: first })).toHaveCount(0);
  });

  test('the pages open without network, show the jobs seen last, and forget them', async ({ page, browser }) => {
    const desk = await office(browser, server.url);
    const mine = await jobOn(desk, server.url, new Date(tuesdayMorning().getTime() + 2 * 86_400_000), 'Camille');
    await desk.page.context().close();
    server.setClock(later(mine.startsAt, 2));
    await asMate(page, server.url, 'en');
    // the worker has the page and its files, and nothing that is somebody's
    const kept = () =>
      page.evaluate(async () =>
        (await (await caches.open('portage-crew-1')).keys()).map(({ url }) => new URL(url).pathname),
      );
    await expect.poll(async () => (await kept()).length, { timeout: 30_000 }).toBeGreaterThan(8);
    await expect
      .poll(async () => (await kept()).filter((path) => !path.startsWith('/dashboard/assets/')), { timeout: 30_000 })
      .toEqual(['/dashboard/my-jobs']);
    // what the crew keeps on record is looked at once with signal
    await jobLink(page, mine).click();
    await page.getByTestId('photo-before').setInputFiles(await photo(page, 'teal'));
    await page.getByLabel(say('en', 'myJobs:note.new')).fill('The key is at the neighbour’s');
    await button(page, 'en', 'myJobs:note.save').click();
    const picture = page.getByRole('img', { name: say('en', 'crewJob:photo.before', { n: 1 }) });
    await expect(picture).toHaveAttribute('src', /^blob:/);
    const small = () =>
      page.evaluate(() =>
        Object.keys(localStorage)
          .map((place) => localStorage.getItem(place))
          .join(),
      );
    await expect.poll(small, { timeout: 20_000 }).toContain('data:image/jpeg');
    await expect.poll(small).toContain('The key is at the neighbour’s');
    await back(page);
    await cut(page, true);
    await page.reload();
    await expect(page.getByText(/These are the jobs as you saw them last/)).toBeVisible();
    // the list is there: nothing says that it failed
    await expect(jobLink(page, mine)).toBeVisible();
    await expect(page.getByText(text('en', 'page.loadFailed'))).toHaveCount(0);
    await checkPage(page);
    const shoot = photographer(page, 'mate-phone-offline');
    await shoot('list');
    await jobLink(page, mine).click();
    await expect(page.getByText('3500 Rue Saint-Urbain', { exact: false }).first()).toBeVisible();
    await expect(page.getByText('The key is at the neighbour’s')).toBeVisible();
    await expect(picture).toHaveAttribute('src', /^data:image\/jpeg/);
    await checkPage(page);
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
    const left = () => page.evaluate(() => Object.keys(localStorage));
    await expect.poll(async () => (await left()).filter((place) => place.startsWith('portage.crew.seen'))).toEqual([]);
  });

  for (const language of ['fr', 'zh'] as const)
    test(`the same pages in ${language}, light and dark`, async ({ page, browser }) => {
      const desk = await office(browser, server.url);
      const mine = await jobOn(desk, server.url, new Date(tuesdayMorning().getTime() + 2 * 86_400_000), 'Camille');
      await desk.page.context().close();
      server.setClock(later(mine.startsAt, 2));
      await asMate(page, server.url, language);
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
