import type { Language } from '@portage/i18n';

/**
 * A day is its name `YYYY-MM-DD`, without clock or zone. Arithmetic runs on UTC noon, where no clock change can move a
 * day; nothing is ever read out of printed text.
 */
export type Day = string;

const msPerDay = 86_400_000;
const noon = (day: Day) => Date.parse(`${day}T12:00:00Z`);
const dayOf = (instant: number): Day => new Date(instant).toISOString().slice(0, 10);

/** Whether the text names a day that exists: `2027-02-30` does not. */
export function isDay(text: unknown): text is Day {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = noon(text);
  return !Number.isNaN(instant) && dayOf(instant) === text;
}

export function addDays(day: Day, count: number): Day {
  return dayOf(noon(day) + count * msPerDay);
}

/** Days from the first to the last, both counted. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((noon(to) - noon(from)) / msPerDay) + 1;
}

export function monthOf(day: Day): string {
  return day.slice(0, 7);
}

export function firstOfMonth(day: Day): Day {
  return `${monthOf(day)}-01`;
}

export function lastOfMonth(day: Day): Day {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return dayOf(Date.UTC(year, month, 0, 12));
}

/** The same day of another month, or its last day where the month is shorter. */
export function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const first = dayOf(Date.UTC(year, month - 1 + count, 1, 12));
  const last = lastOfMonth(first);
  return date > Number(last.slice(8)) ? last : `${monthOf(first)}-${String(date).padStart(2, '0')}`;
}

/** Sunday opens the week in English and French here, Monday in Chinese. 0 is Sunday. */
export function firstWeekday(language: Language): 0 | 1 {
  return language === 'zh' ? 1 : 0;
}

export function weekday(day: Day): number {
  return new Date(noon(day)).getUTCDay();
}

export function startOfWeek(day: Day, language: Language): Day {
  return addDays(day, -((weekday(day) - firstWeekday(language) + 7) % 7));
}

/** Weeks that hold the month of `day`, seven days each; days of other months are null. */
export function weeksOf(day: Day, language: Language): (Day | null)[][] {
  const month = monthOf(day);
  const last = lastOfMonth(day);
  const weeks: (Day | null)[][] = [];
  for (let at = startOfWeek(firstOfMonth(day), language); at <= last; at = addDays(at, 7)) {
    weeks.push(
      Array.from({ length: 7 }, (_, index) => addDays(at, index)).map((one) => (monthOf(one) === month ? one : null)),
    );
  }
  return weeks;
}
