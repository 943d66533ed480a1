import { entriesAt } from './figures.ts';
import { type Card, isObject, type Json } from './paths.ts';

export const periodRules = ['range', 'month_end', 'weekend', 'holiday'] as const;
export type PeriodRule = (typeof periodRules)[number];

/** A time when hours cost more, as the card has it. */
export interface Period {
  name: string;
  rule: PeriodRule;
  /** Month and day, `07-01`; only of a range, which may pass New Year. */
  from: string;
  to: string;
  /** Only at pickups in these provinces; null = in all. */
  only: string[] | null;
  except: string[] | null;
  /** Basis points: 12000 = 1.2 times. */
  factor: number;
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');
const names = (value: Json | undefined) => (Array.isArray(value) ? value.map(text) : null);

/** The periods of a card, in its order. */
export function periodsOf(card: Card): Period[] {
  return entriesAt(card, 'periods').map((entry) => {
    const one: Card = isObject(entry) ? entry : {};
    return {
      name: text(one['name']),
      rule: periodRules.find((rule) => rule === one['rule']) ?? 'range',
      from: text(one['from']),
      to: text(one['to']),
      only: names(one['provinces']),
      except: names(one['provinces_except']),
      factor: typeof one['multiplier_bp'] === 'number' ? one['multiplier_bp'] : 0,
    };
  });
}

const twoDigits = (value: number) => String(value).padStart(2, '0');
/** A day as the API writes it; months from 1. */
export const dateOf = (year: number, month: number, day: number) => `${year}-${twoDigits(month)}-${twoDigits(day)}`;
/** Statutory holidays by their day: which days they are only the server knows. */
export type Holidays = Readonly<Record<string, string>>;
/** Days of a month, 1 to 12. */
const lengthOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();
/** 0 is Sunday. */
export const weekdayOf = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay();

function covers(period: Period, year: number, month: number, day: number, holidays: Holidays): boolean {
  switch (period.rule) {
    case 'range': {
      const at = `${twoDigits(month)}-${twoDigits(day)}`;
      const { from, to } = period;
      if (from === '' || to === '') return false;
      return from <= to ? from <= at && at <= to : at >= from || at <= to;
    }
    case 'month_end':
      return day === 1 || day > lengthOf(year, month) - 2;
    case 'weekend':
      return [0, 6].includes(weekdayOf(year, month, day));
    case 'holiday':
      return Object.hasOwn(holidays, dateOf(year, month, day));
  }
}

const holdsIn = ({ only, except }: Period, province: string) =>
  (only === null || only.includes(province)) && !(except?.includes(province) ?? false);

/** The period of a day by its place in the list: the dearest that covers it, of equals the first; null on ordinary days. */
export function periodOn(
  periods: readonly Period[],
  province: string,
  [year, month, day]: readonly [number, number, number],
  holidays: Holidays,
) {
  let best: number | null = null;
  let most = 10_000;
  periods.forEach((period, index) => {
    if (period.factor <= most || !holdsIn(period, province) || !covers(period, year, month, day, holidays)) return;
    best = index;
    most = period.factor;
  });
  return best as number | null;
}

/** The periods of a year at pickups in a province, month by month and day by day. */
export function yearOf(
  periods: readonly Period[],
  province: string,
  year: number,
  holidays: Holidays = {},
): (number | null)[][] {
  return Array.from({ length: 12 }, (_, month) =>
    Array.from({ length: lengthOf(year, month + 1) }, (__, day) =>
      periodOn(periods, province, [year, month + 1, day + 1], holidays),
    ),
  );
}

/** The letter that stands for a period: A to Z, then A2 and so on. */
export function letterOf(index: number): string {
  const round = Math.floor(index / 26);
  return `${String.fromCharCode(65 + (index % 26))}${round === 0 ? '' : round + 1}`;
}

/** How strongly a day is coloured: 1 (up to 1.1 times) to 4 (over 1.5 times). */
export function shadeOf(factor: number): 1 | 2 | 3 | 4 {
  return factor <= 11_000 ? 1 : factor <= 12_000 ? 2 : factor <= 15_000 ? 3 : 4;
}
