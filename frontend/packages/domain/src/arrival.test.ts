import { expect, it } from 'vitest';

import { arrivalWindow } from './arrival.tsx';

it.each([
  ['08:00', '08:00', '09:00'],
  ['08:30', '08:00', '09:00'],
  ['09:00', '08:30', '09:30'],
  ['16:00', '15:30', '16:30'],
  ['00:10', '00:00', '00:40'],
  ['23:50', '23:20', '23:59'],
])('promises for %s what the server does: %s to %s', (time, from, until) => {
  expect(arrivalWindow(time)).toEqual({ from, until });
});
