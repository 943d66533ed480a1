import type { AvailabilityDay, Slot } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { dayIn, type Language } from '@portage/i18n';

/** Calendar dates are `YYYY-MM-DD`; arithmetic runs on UTC noon, where no clock change can move a day. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

export function addMonths(month: string, count: number): string {
  const [year = 0, index = 1] = month.split('-').map(Number);
  const date = new Date(Date.UTC(year, index - 1 + count, 1, 12));
  return date.toISOString().slice(0, 7);
}

export function daysInMonth(month: string): number {
  const [year = 0, index = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, index, 0)).getUTCDate();
}

/** The day of a month that has the number of `date`, or the month's last. */
export function dayOf(month: string, date: string): string {
  const day = Math.min(Number(date.slice(8)), daysInMonth(month));
  return `${month}-${String(day).padStart(2, '0')}`;
}

/** Sunday opens the week here in English and French, Monday in Chinese. 0 is Sunday. */
export function firstWeekday(language: Language): 0 | 1 {
  return language === 'zh' ? 1 : 0;
}

/** Weeks of a month as rows of seven; days of other months are null. */
export function weeksOf(month: string, language: Language): (string | null)[][] {
  const first = `${month}-01`;
  const lead = (new Date(`${first}T12:00:00Z`).getUTCDay() - firstWeekday(language) + 7) % 7;
  const cells: (string | null)[] = Array.from({ length: lead }, () => null);
  for (let day = 0; day < daysInMonth(month); day += 1) cells.push(addDays(first, day));
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, row) => cells.slice(row * 7, row * 7 + 7));
}

/** The weeks that are not over; while a month lies wholly in the past, none. */
export function weeksFrom(today: string, weeks: (string | null)[][]): (string | null)[][] {
  return weeks.filter((week) => week.some((date) => date !== null && date >= today));
}

/** Today where the schedule is kept: Montreal. */
export function todayInMontreal(now: Date): string {
  return dayIn(montrealZone, now);
}

export type DayState = 'past' | 'beyond' | 'closed' | 'full' | 'open' | 'unknown';

/** Bookings open this many days ahead. */
export const horizonDays = 365;

export function dayState(date: string, today: string, day: AvailabilityDay | undefined): DayState {
  if (date < today) return 'past';
  if (date > addDays(today, horizonDays)) return 'beyond';
  if (!day) return 'unknown';
  if (day.closed) return 'closed';
  return day.slots.some((slot) => slot.available) ? 'open' : 'full';
}

/** Whether the calendar says that a start can no longer be taken; an unknown day says nothing. */
export function startClosed(
  start: { date: string; time: string },
  today: string,
  day: AvailabilityDay | undefined,
): boolean {
  const state = dayState(start.date, today, day);
  if (state === 'unknown') return false;
  return state !== 'open' || !day?.slots.some((slot) => slot.time === start.time && slot.available);
}

export const dayParts = ['morning', 'afternoon', 'evening'] as const;
export type DayPart = (typeof dayParts)[number];

export function partOf(time: string): DayPart {
  if (time < '12:00') return 'morning';
  return time < '17:00' ? 'afternoon' : 'evening';
}

/** The open starts nearest to a lost one: same day first by distance in minutes, then the days around it. */
export function nearestSlots(
  lost: { date: string; time: string },
  days: AvailabilityDay[],
  count = 3,
): { date: string; slot: Slot }[] {
  const minutes = (date: string, time: string) => Date.parse(`${date}T${time}:00Z`) / 60_000;
  const from = minutes(lost.date, lost.time);
  return days
    .flatMap((day) => day.slots.filter((slot) => slot.available).map((slot) => ({ date: day.date, slot })))
    .filter(({ date, slot }) => !(date === lost.date && slot.time === lost.time))
    .sort((a, b) => Math.abs(minutes(a.date, a.slot.time) - from) - Math.abs(minutes(b.date, b.slot.time) - from))
    .slice(0, count);
}
