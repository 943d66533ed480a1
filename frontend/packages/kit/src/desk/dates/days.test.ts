// @vitest-environment node
import { expect, it } from 'vitest';

import { addDays, addMonths, daysBetween, isDay, lastOfMonth, startOfWeek, weeksOf } from './days.ts';

it('knows which days exist', () => {
  expect(isDay('2028-02-29')).toBe(true);
  for (const wrong of ['2027-02-29', '2027-13-01', '2027-1-1', '06/24/2027', '', null, 20_270_624])
    expect(isDay(wrong), String(wrong)).toBe(false);
});

it('moves over months, years and clock changes', () => {
  expect(addDays('2027-12-31', 1)).toBe('2028-01-01');
  expect(addDays('2027-03-14', 1)).toBe('2027-03-15'); // clocks go forward in Montreal
  expect(addDays('2027-11-07', -1)).toBe('2027-11-06');
  expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
  expect(addMonths('2027-03-15', -15)).toBe('2025-12-15');
  expect(lastOfMonth('2028-02-03')).toBe('2028-02-29');
  expect(daysBetween('2027-06-20', '2027-07-05')).toBe(16);
});

it('begins weeks where the language does', () => {
  expect(startOfWeek('2027-06-24', 'en')).toBe('2027-06-20');
  expect(startOfWeek('2027-06-24', 'zh')).toBe('2027-06-21');
  expect(startOfWeek('2027-06-20', 'zh')).toBe('2027-06-14');
});

it('draws every day of a month once, under its weekday', () => {
  for (const language of ['en', 'zh'] as const) {
    const weeks = weeksOf('2027-08-15', language);
    expect(weeks.every((week) => week.length === 7)).toBe(true);
    expect(weeks.flat().filter(Boolean)).toHaveLength(31);
    const first = weeks[0]?.indexOf('2027-08-01');
    // 1 August 2027 is a Sunday
    expect(first).toBe(language === 'en' ? 0 : 6);
  }
});
