import { describe, expect, it } from 'vitest';

import { isAnyAway, loadOf } from './load.ts';
import type { CalendarDay, CrewCapacity } from './types.ts';

const some = (mates: number, small = 4, middle = 4, large = 3): CrewCapacity => ({
  mates,
  trucks: { '10ft': small, '20ft': middle, '26ft': large },
});
const none = some(0, 0, 0, 0);

function day(change: Partial<CalendarDay>): CalendarDay {
  return {
    date: '2027-07-01',
    planned: some(24),
    absent: none,
    offered: some(24),
    taken: none,
    override: null,
    closed: false,
    holiday: null,
    ...change,
  };
}

describe('the load of a day', () => {
  it.each<[string, Partial<CalendarDay>, ReturnType<typeof loadOf>]>([
    ['of nothing', {}, { kind: 'free', percent: 0 }],
    ['of a half', { taken: some(12, 1) }, { kind: 'free', percent: 50 }],
    ['is not rounded up to all', { offered: some(1000), taken: some(999, 0) }, { kind: 'free', percent: 99 }],
    ['of all mates', { taken: some(24, 0) }, { kind: 'full', percent: 100 }],
    ['over what is there', { taken: some(30, 0) }, { kind: 'over', percent: 125 }],
    ['over one size of truck alone', { taken: some(6, 5) }, { kind: 'over', percent: 25 }],
    ['while everybody is away', { offered: some(0), absent: some(24, 0, 0, 0) }, { kind: 'full', percent: 100 }],
    ['of a closed day', { closed: true, planned: none, offered: none }, { kind: 'closed', percent: 0 }],
    [
      'of a closed day with a move on it',
      { closed: true, planned: none, offered: none, taken: some(2, 0, 1, 0) },
      { kind: 'over', percent: 100 },
    ],
  ])('%s', (_, change, load) => expect(loadOf(day(change))).toEqual(load));

  it('counts a truck that is away', () => {
    expect(isAnyAway(day({}))).toBe(false);
    expect(isAnyAway(day({ absent: some(0, 0, 1, 0) }))).toBe(true);
  });
});
