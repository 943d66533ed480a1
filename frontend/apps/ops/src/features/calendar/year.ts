import type { Language } from '@portage/i18n';
import { type Day, dayAfterKey, monthOf, startOfWeek } from '@portage/kit/desk/dates';

import type { CalendarDay } from './types.ts';

/** The first day of each month of a year. */
export function monthsOf(year: number): Day[] {
  return Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}-01`);
}

/** Days under their month, `YYYY-MM`. */
export function byMonth(days: readonly CalendarDay[]): Map<string, CalendarDay[]> {
  const months = new Map<string, CalendarDay[]>();
  for (const day of days) {
    const month = months.get(monthOf(day.date));
    if (month) month.push(day);
    else months.set(monthOf(day.date), [day]);
  }
  return months;
}

export function isIn(year: number, day: Day): boolean {
  return day.startsWith(`${year}-`);
}

/** Where a key leads from a day. It stays within the year; undefined when the key is none of a calendar's. */
export function dayByKey(key: string, shift: boolean, day: Day, year: number, language: Language): Day | undefined {
  const next = dayAfterKey(key, shift, day, startOfWeek(day, language));
  if (next === undefined || isIn(year, next)) return next;
  return next < `${year}-01-01` ? `${year}-01-01` : `${year}-12-31`;
}
