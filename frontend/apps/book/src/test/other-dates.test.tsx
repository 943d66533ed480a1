import { montrealDay } from '@portage/domain';
import { formatCalendarDate, formatDateTime, formatTime, formatWallTime } from '@portage/i18n';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { stubOtherDates } from '../../../../test/other-dates.ts';
import { addDays, todayInMontreal } from '../features/schedule/calendar.ts';
import { storageKey } from '../booking/draft/draft-store.ts';
import { renderApp, useApp, withDate } from './render-app.tsx';

useApp();

let restore = () => {};
beforeEach(() => {
  restore = stubOtherDates();
});
afterEach(() => {
  vi.useRealTimers();
  restore();
});

it('prints other text than here, or the tests below would show nothing', () => {
  expect(new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' }).format(new Date('2027-02-17T12:00:00Z'))).toBe(
    '2/17/2027',
  );
});

it('takes the day of an instant from its parts', () => {
  expect(todayInMontreal(new Date('2027-02-17T03:30:00Z'))).toBe('2027-02-16');
  expect(montrealDay('2027-02-07T14:00:00Z')).toBe('2027-02-07');
  expect(addDays(todayInMontreal(new Date('2027-12-31T15:00:00Z')), 1)).toBe('2028-01-01');
});

it('writes times and the first of a month as everywhere else', () => {
  expect(formatWallTime('09:00', 'en')).toBe('9:00\u00A0a.m.');
  expect(formatWallTime('12:05', 'en')).toBe('12:05\u00A0p.m.');
  expect(formatWallTime('00:30', 'en')).toBe('12:30\u00A0a.m.');
  expect(formatTime('2027-02-17T14:00:00Z', 'America/Toronto', 'en')).toBe('9:00\u00A0a.m.');
  expect(formatCalendarDate('2027-07-01', 'fr').replaceAll(/\s/g, ' ')).toBe('1er juillet 2027');
  expect(formatDateTime('2027-07-01T13:00:00Z', 'America/Toronto', 'fr').replaceAll(/\s/g, ' ')).toBe(
    '1er juillet 2027 à 9 h',
  );
});

it('opens the schedule with its days and the chosen start', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
  await renderApp('/schedule', { draft: withDate });
  await screen.findByRole('heading', { level: 1, name: 'When do you want to move?' });
  expect(await screen.findByRole('radio', { name: '9:00\u00A0a.m.' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /February.17,.2027, 1\d start times/ })).toHaveAttribute('data-chosen');
});

it('opens although a kept date is no date', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
  localStorage.setItem(
    storageKey,
    JSON.stringify({
      version: 2,
      revision: 1,
      draft: { ...withDate, date: '2/17/2027', lostSlot: { date: '2/3/2027', time: '09:00' } },
    }),
  );
  dispatchEvent(new StorageEvent('storage', { key: storageKey, newValue: localStorage.getItem(storageKey) }));
  await renderApp('/schedule');
  await screen.findByRole('heading', { level: 1, name: 'When do you want to move?' });
  expect(await screen.findByRole('button', { name: /February.17,.2027, 1\d start times/ })).toBeVisible();
});
