import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { renderApp, useApp, withDate } from './render-app.tsx';

useApp();

const vancouver = {
  ...withDate,
  pickup: { ...withDate.pickup!, province: 'BC', city: 'Vancouver', postalCode: 'V6C 1S4' },
  date: '2027-02-17',
  time: '09:00',
  startsAt: '2027-02-17T16:00:00Z',
  zone: 'America/Vancouver',
};
const both = 'Wednesday, February 17, 2027, 11:00\u00A0a.m. in Montreal (9:00\u00A0a.m. at the pickup)';
const shown = (text: string) => [...document.querySelectorAll('time')].filter((one) => one.textContent === text).length;

it('says the start in Montreal time and at the pickup, on the start page', async () => {
  await renderApp('/', { draft: vancouver });
  await screen.findByRole('heading', { level: 1, name: 'Movers, booked in three steps' });
  expect(shown(both)).toBe(1);
});

it('says it on the quote and beside it', async () => {
  await renderApp('/quote', { draft: vancouver });
  await screen.findByRole('heading', { level: 1, name: 'Check your move' });
  expect(shown(both)).toBe(2);
});

it('says it once where the two zones agree', async () => {
  await renderApp('/quote', { draft: withDate });
  await screen.findByRole('heading', { level: 1, name: 'Check your move' });
  expect(shown('Wednesday, February 17, 2027, 9:00\u00A0a.m.')).toBe(2);
});
