import { renderHook } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';

import { forgetServerClock } from '@portage/api';

import { server, useApp, withDate } from '../../test/render-app.tsx';
import { draftStore } from '../draft/draft-store.ts';
import { extendHold, placeHold, useHoldMinutes, useHoldState } from './use-hold.ts';

useApp();
afterEach(() => {
  vi.useRealTimers();
  forgetServerClock();
});

const serverTime = Date.parse('2027-02-10T15:00:00Z');
const minute = 60_000;
const slot = { date: '2027-02-17', time: '09:00', startsAt: '2027-02-17T14:00:00Z', zone: 'America/Toronto' };
/** Answers as a server whose clock says `now`. */
const answers = (now: number, minutes: number) => () =>
  HttpResponse.json(
    { id: 'hold-1', expiresAt: new Date(now + minutes * minute).toISOString(), startsAt: slot.startsAt },
    { status: 201, headers: { Date: new Date(now).toUTCString() } },
  );
const minutes = () => renderHook(() => useHoldMinutes()).result.current;
const state = () => renderHook(() => useHoldState()).result.current;

it.each([
  ['right', 0],
  ['an hour ahead', 60],
  ['an hour behind', -60],
  ['a day ahead', 24 * 60],
])('a hold lasts as long as the server said on a device whose clock is %s', async (_, wrong) => {
  const device = serverTime + wrong * minute;
  vi.useFakeTimers({ toFake: ['Date'], now: device });
  server.use(http.post('*/api/holds', answers(serverTime, 15)));
  draftStore.reset(withDate);
  await placeHold(slot);
  expect(draftStore.get().hold).toMatchObject({ id: 'hold-1', minutes: 15 });
  expect(state()).toBe('held');
  // told as a length, which no clock and no zone makes wrong
  expect(minutes()).toBe(15);
  vi.setSystemTime(device + 14 * minute);
  expect(state()).toBe('held');
  expect(minutes()).toBe(1);
  vi.setSystemTime(device + 16 * minute);
  expect(state()).toBe('expired');
});

it('is neither ended nor prolonged by a clock that is put right meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: serverTime - 60 * minute });
  server.use(http.post('*/api/holds', answers(serverTime, 15)));
  draftStore.reset(withDate);
  await placeHold(slot);
  vi.setSystemTime(serverTime + 5 * minute);
  server.use(http.post('*/api/holds/:id/extend', answers(serverTime + 5 * minute, 15)));
  await extendHold('hold-1');
  expect(state()).toBe('held');
  vi.setSystemTime(serverTime + 19 * minute);
  expect(state()).toBe('held');
  vi.setSystemTime(serverTime + 21 * minute);
  expect(state()).toBe('expired');
});

it('goes by the clock the server tells, also where that is days ahead of its machine', async () => {
  const ahead = serverTime + 6 * 24 * 60 * minute;
  vi.useFakeTimers({ toFake: ['Date'], now: serverTime });
  server.use(
    http.post('*/api/holds', () =>
      HttpResponse.json(
        { id: 'hold-1', expiresAt: new Date(ahead + 15 * minute).toISOString(), startsAt: slot.startsAt },
        {
          status: 201,
          headers: { Date: new Date(serverTime).toUTCString(), 'Portage-Clock': new Date(ahead).toISOString() },
        },
      ),
    ),
  );
  draftStore.reset(withDate);
  await placeHold(slot);
  expect(state()).toBe('held');
  expect(draftStore.get().hold).toMatchObject({ minutes: 15 });
  expect(minutes()).toBe(15);
  vi.setSystemTime(serverTime + 16 * minute);
  expect(state()).toBe('expired');
});

it('goes by the device where the server keeps a clock of its own, as a demonstration does', async () => {
  const device = serverTime;
  vi.useFakeTimers({ toFake: ['Date'], now: device });
  const elsewhen = serverTime - 5 * 24 * 60 * minute;
  server.use(
    http.post('*/api/holds', () =>
      HttpResponse.json(
        { id: 'hold-1', expiresAt: new Date(device + 15 * minute).toISOString(), startsAt: slot.startsAt },
        { status: 201, headers: { Date: new Date(elsewhen).toUTCString() } },
      ),
    ),
  );
  draftStore.reset(withDate);
  await placeHold(slot);
  expect(state()).toBe('held');
  vi.setSystemTime(device + 16 * minute);
  expect(state()).toBe('expired');
});
