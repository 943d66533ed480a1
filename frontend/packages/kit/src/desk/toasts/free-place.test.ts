import { expect, it } from 'vitest';

import { freeBottom } from './free-place.ts';

const room = { height: 800, size: 50, margin: 16 };

it('stands at the lower edge where nothing is', () => {
  expect(freeBottom([], room)).toBe(16);
  expect(freeBottom([{ top: 100, bottom: 140 }], room)).toBe(16);
});

it('stands above the buttons at the end of a drawer', () => {
  expect(freeBottom([{ top: 744, bottom: 788 }], room)).toBe(64);
  // and above a second line of them, where there is no room between
  expect(
    freeBottom(
      [
        { top: 744, bottom: 788 },
        { top: 690, bottom: 734 },
      ],
      room,
    ),
  ).toBe(118);
});

it('takes the lowest place that is free between two', () => {
  expect(
    freeBottom(
      [
        { top: 744, bottom: 788 },
        { top: 600, bottom: 640 },
      ],
      room,
    ),
  ).toBe(64);
});

it('knows when there is none', () => {
  expect(freeBottom([{ top: 0, bottom: 800 }], room)).toBeNull();
});
