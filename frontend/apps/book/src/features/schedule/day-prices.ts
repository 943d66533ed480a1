import type { DayPrice } from '@portage/api';
import { parseCents } from '@portage/domain';

import type { PricedDays } from '../../booking/estimate/comparisons.ts';

/** How a day's price stands to the others; `none` where nothing sets it apart. */
export type Standing = 'cheapest' | 'low' | 'dear' | 'dearest' | 'none';

/** From this factor on a day counts as very dear. */
const veryDear = 1.5;

export function standingOf(day: DayPrice, { cheapest, least }: PricedDays): Standing {
  const factor = Number(day.factor);
  if (factor >= veryDear) return 'dearest';
  if (factor > 1) return 'dear';
  if (!day.open || least === null) return 'none';
  if (day.date === cheapest) return 'cheapest';
  return parseCents(day.total) === least ? 'low' : 'none';
}

export interface DearDays {
  label: string;
  factor: string;
  dates: string[];
}

/** The names of the dear days among `dates`, the dearest first, each with its days. */
export function dearDays(dates: string[], { days }: PricedDays): DearDays[] {
  const named = new Map<string, DearDays>();
  for (const date of dates) {
    const day = days.get(date);
    if (!day?.label || Number(day.factor) <= 1) continue;
    const key = `${day.label}|${day.factor}`;
    const found = named.get(key) ?? { label: day.label, factor: day.factor, dates: [] };
    found.dates.push(date);
    named.set(key, found);
  }
  return [...named.values()].sort((a, b) => Number(b.factor) - Number(a.factor));
}
