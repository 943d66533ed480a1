import { accountHandlers, freshAccount, someBooking } from '@portage/mock-api';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';

import { fromVancouver, renderApp, server, signInForTest, useApp, withDate } from './render-app.tsx';

useApp();

const vancouver = {
  ...fromVancouver(withDate),
  date: '2027-02-17',
  time: '09:00',
  startsAt: '2027-02-17T16:00:00Z',
  zone: 'America/Vancouver',
  arrivalWindow: { from: '08:30', until: '09:30' },
};
/** The hold that a page asks for by itself, granted for this very start. */
const holds = ({ startsAt, arrivalWindow }: Pick<typeof vancouver, 'startsAt' | 'arrivalWindow'>) =>
  server.use(
    http.post('*/api/holds', () =>
      HttpResponse.json(
        { id: 'hold-1', expiresAt: new Date(Date.now() + 900_000).toISOString(), startsAt, arrivalWindow },
        { status: 201 },
      ),
    ),
  );
const both = 'Wednesday, February 17, 2027, 9:00\u00A0a.m. at the pickup (11:00\u00A0a.m. in Montreal)';
const shown = (text: string) => [...document.querySelectorAll('time')].filter((one) => one.textContent === text).length;

it('says the start in Montreal time and at the pickup, on the start page', async () => {
  await renderApp('/', { draft: vancouver });
  await screen.findByRole('heading', { level: 1, name: 'Movers at a fixed price' });
  expect(shown(both)).toBe(1);
});

it('says it on the quote and beside it', async () => {
  holds(vancouver);
  await renderApp('/quote', { draft: vancouver });
  await screen.findByRole('heading', { level: 1, name: 'Check your move' });
  expect(shown(both)).toBe(2);
});

it('says it once where the two zones agree', async () => {
  await renderApp('/quote', { draft: withDate });
  await screen.findByRole('heading', { level: 1, name: 'Check your move' });
  expect(shown('Wednesday, February 17, 2027, 9:00\u00A0a.m.')).toBe(2);
});

const early = {
  date: '2027-02-17',
  time: '08:00',
  startsAt: '2027-02-17T13:00:00Z',
  arrivalWindow: { from: '08:00', until: '09:00' },
};
const windows = {
  en: 'The crew arrives between 8:00 a.m. and 9:00 a.m.',
  fr: 'L’équipe arrive entre 8 h et 9 h.',
  zh: '搬家团队将在 8:00 至 9:00 之间到达。',
} as const;

const onThePass = { en: '8:00 a.m. to 9:00 a.m.', fr: '8 h à 9 h', zh: '8:00 至 9:00' } as const;

it.each(['en', 'fr', 'zh'] as const)(
  'promises for the first start of a day what the e-mail does (%s)',
  async (language) => {
    const account = freshAccount();
    account.bookings = [someBooking(early)];
    server.use(...accountHandlers(account));
    holds(early);
    const pages = [
      ['/schedule', windows[language]],
      ['/quote', windows[language]],
      ['/confirmation?booking=0192-0001', onThePass[language]],
      ['/profile/bookings/0192-0001', windows[language]],
    ] as const;
    for (const [path, promise] of pages) {
      signInForTest();
      const { unmount } = await renderApp(path, { draft: { ...withDate, ...early }, language });
      expect(await screen.findByText(promise, {}, { timeout: 10_000 }), path).toBeVisible();
      expect(document.body).not.toHaveTextContent(/give or take|à 30 minutes près|前后/);
      unmount();
    }
  },
);

it('names the clock of the pickup where it is not Montreal’s', async () => {
  holds(vancouver);
  await renderApp('/quote', { draft: vancouver });
  expect(
    await screen.findByText('The crew arrives between 8:30 a.m. and 9:30 a.m. by the clock at the pickup.'),
  ).toBeVisible();
});

it('promises the same in the calendar file', async () => {
  const account = freshAccount();
  account.bookings = [someBooking(early)];
  server.use(...accountHandlers(account));
  signInForTest();
  const files: Blob[] = [];
  URL.createObjectURL = (file) => {
    files.push(file as Blob);
    return 'blob:x';
  };
  URL.revokeObjectURL = () => {};
  const { user } = await renderApp('/confirmation?booking=0192-0001');
  await user.click(await screen.findByRole('button', { name: 'Add to calendar' }));
  const text = (await files[0]!.text()).replaceAll('\r\n ', '').replaceAll('\u00A0', ' ');
  expect(text).toContain(windows.en);
});
