import type { Language } from '@portage/i18n';

import { addDays, addMonths, type Day, firstOfMonth, isDay, lastOfMonth, startOfWeek } from './days.ts';

export const presetKeys = [
  'today',
  'tomorrow',
  'next7',
  'thisWeek',
  'thisMonth',
  'nextMonth',
  'last7',
  'last30',
  'lastMonth',
] as const;
export type Preset = (typeof presetKeys)[number];

/** Days from `from` to `to`, both included; an end that is left out is open. */
export interface Days {
  from?: Day;
  to?: Day;
}

/**
 * What was chosen: two days, or a name such as "today". The name is kept as a name, so that a saved view or a link called
 * "today" still means today tomorrow.
 */
export type DateRange = Preset | Days;

export function isPreset(value: unknown): value is Preset {
  return typeof value === 'string' && (presetKeys as readonly string[]).includes(value);
}

/** The days a choice stands for on the day `today`. */
export function daysOf(range: DateRange, today: Day, language: Language): Days {
  if (!isPreset(range)) return range;
  const month = (count: number) => {
    const first = addMonths(firstOfMonth(today), count);
    return { from: first, to: lastOfMonth(first) };
  };
  switch (range) {
    case 'today':
      return { from: today, to: today };
    case 'tomorrow':
      return { from: addDays(today, 1), to: addDays(today, 1) };
    case 'next7':
      return { from: today, to: addDays(today, 6) };
    case 'thisWeek': {
      const first = startOfWeek(today, language);
      return { from: first, to: addDays(first, 6) };
    }
    case 'thisMonth':
      return month(0);
    case 'nextMonth':
      return month(1);
    case 'last7':
      return { from: addDays(today, -6), to: today };
    case 'last30':
      return { from: addDays(today, -29), to: today };
    case 'lastMonth':
      return month(-1);
  }
}

/** Reads `today`, `2027-06-20..2027-07-05`, `2027-06-20..` or `..2027-07-05`; anything else is no range. */
export function readRange(value: unknown): DateRange | null {
  if (isPreset(value)) return value;
  if (typeof value !== 'string') return null;
  const [from = '', to = '', ...more] = value.split('..');
  if (more.length > 0 || !value.includes('..') || (from === '' && to === '')) return null;
  if ((from !== '' && !isDay(from)) || (to !== '' && !isDay(to))) return null;
  if (from !== '' && to !== '' && from > to) return null;
  return { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
}

export function writeRange(range: DateRange): string {
  return isPreset(range) ? range : `${range.from ?? ''}..${range.to ?? ''}`;
}
