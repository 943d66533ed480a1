import { afterEach, expect, it } from 'vitest';

import { forgetServerClock, noteServerTime, serverClockOffset, serverNow } from './server-clock.ts';

afterEach(forgetServerClock);

const day = 24 * 60 * 60_000;
const answer = (headers: Record<string, string>) => new Response(null, { headers });
const date = (at: number) => new Date(at).toUTCString();

it('goes by the device until an answer has come, and by its date then', () => {
  expect(serverClockOffset()).toBeNull();
  noteServerTime(answer({ Date: date(Date.now() - day) }));
  expect(Math.abs(serverNow() - (Date.now() - day))).toBeLessThan(1000);
  noteServerTime(answer({}));
  expect(serverClockOffset()).not.toBeNull();
});

it('goes by what time it is to the program where the program says so', () => {
  const [now, ahead] = [Date.now(), Date.now() + 9 * day];
  noteServerTime(answer({ Date: date(now), 'Portage-Clock': new Date(ahead).toISOString() }));
  expect(Math.abs(serverNow() - ahead)).toBeLessThan(1000);
  // another provider's answer says nothing of this program's clock
  noteServerTime(answer({ Date: date(now) }));
  expect(Math.abs(serverNow() - ahead)).toBeLessThan(1000);
  // the clock of a test jumps
  noteServerTime(answer({ 'Portage-Clock': new Date(ahead + day).toISOString() }));
  expect(Math.abs(serverNow() - ahead - day)).toBeLessThan(1000);
  noteServerTime(answer({ Date: date(now), 'Portage-Clock': 'soon' }));
  expect(Math.abs(serverNow() - ahead - day)).toBeLessThan(1000);
});
