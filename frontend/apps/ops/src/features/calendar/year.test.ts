import { addDays, daysBetween, weeksOf } from '@portage/kit/desk/dates';
import { describe, expect, it } from 'vitest';

import type { CalendarDay, CrewCapacity } from './types.ts';
import { byMonth, dayByKey, monthsOf } from './year.ts';

const none: CrewCapacity = { mates: 0, trucks: { '10ft': 0, '20ft': 0, '26ft': 0 } };
const dayOf = (date: string): CalendarDay => ({
  date,
  planned: none,
  absent: none,
  offered: none,
  taken: none,
  override: null,
  closed: true,
  holiday: null,
});
const daysOf = (year: number) =>
  Array.from({ length: daysBetween(`${year}-01-01`, `${year}-12-31`) }, (_, n) => dayOf(addDays(`${year}-01-01`, n)));

describe('a year as months', () => {
  it.each([
    [2027, 365, 28],
    [2028, 366, 29],
  ])('of %i has all its days, each in its month', (year, all, february) => {
    const months = byMonth(daysOf(year));
    expect([...months.keys()]).toEqual(monthsOf(year).map((month) => month.slice(0, 7)));
    expect([...months.values()].flat()).toHaveLength(all);
    expect(months.get(`${year}-02`)).toHaveLength(february);
  });

  it('begins its weeks as the other calendars of a language do', () => {
    // July 1, 2027 is a Thursday
    expect(weeksOf('2027-07-01', 'en')[0]?.indexOf('2027-07-01')).toBe(4);
    expect(weeksOf('2027-07-01', 'zh')[0]?.indexOf('2027-07-01')).toBe(3);
  });
});

describe('a key', () => {
  it.each([
    ['ArrowRight', false, '2027-06-30', '2027-07-01'],
    ['ArrowDown', false, '2027-06-28', '2027-07-05'],
    ['PageDown', false, '2027-01-31', '2027-02-28'],
    ['PageUp', false, '2027-07-01', '2027-06-01'],
    ['Home', false, '2027-07-01', '2027-06-27'],
    ['End', false, '2027-07-01', '2027-07-03'],
  ])('%s (Shift %s) leads from %s to %s', (key, shift, from, to) =>
    expect(dayByKey(key, shift, from, 2027, 'en')).toBe(to),
  );

  it.each([
    ['ArrowLeft', '2027-01-01', '2027-01-01'],
    ['ArrowDown', '2027-12-30', '2027-12-31'],
    ['PageDown', '2027-12-05', '2027-12-31'],
  ])('%s does not leave the year from %s', (key, from, to) => expect(dayByKey(key, false, from, 2027, 'en')).toBe(to));

  it('that is none of a calendar’s leads nowhere', () =>
    expect(dayByKey('j', false, '2027-07-01', 2027, 'en')).toBeUndefined());
});
