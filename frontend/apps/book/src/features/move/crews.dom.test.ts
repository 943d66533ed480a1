import type { CrewPrice } from '@portage/api';
import { expect, it } from 'vitest';

import { betterCrew, endOf } from './crews.ts';

const crew = (mateCount: number, total: string, duration: number, warnings: CrewPrice['warnings'] = []): CrewPrice => ({
  mateCount,
  amount: total,
  total,
  duration,
  warnings,
  labels: [],
});

it('names a crew that is cheaper and done sooner, and only then', () => {
  const crews = [crew(2, '969.50', 435), crew(3, '952.00', 315), crew(4, '1010.00', 270)];
  expect(betterCrew(crews, 2, 4)?.mateCount).toBe(3);
  expect(betterCrew(crews, 3, 4)).toBeNull();
  expect(betterCrew(crews, 2, 2)).toBeNull();
  expect(betterCrew([crew(2, '969.50', 435), crew(3, '900.00', 435)], 2, 4)).toBeNull();
});

it('advises neither to nor from a crew that is refused', () => {
  const refused = [{ code: 'min_mates', mates: 3 }];
  expect(betterCrew([crew(2, '969.50', 435), crew(3, '952.00', 315, refused)], 2, 4)).toBeNull();
  expect(betterCrew([crew(2, '969.50', 435, refused), crew(3, '952.00', 315)], 2, 4)).toBeNull();
});

it('reckons the end of the work, also past midnight', () => {
  expect(endOf('09:00', 435)).toEqual({ clock: '16:15', daysLater: 0 });
  expect(endOf('09:00', 900)).toEqual({ clock: '00:00', daysLater: 1 });
  expect(endOf('20:30', 300)).toEqual({ clock: '01:30', daysLater: 1 });
  expect(endOf('09:00', 53 * 60 + 30)).toEqual({ clock: '14:30', daysLater: 2 });
});
