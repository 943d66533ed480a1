import { type TruckSize, truckSizes } from '@portage/api';
import * as z from 'zod/mini';

import { countOf, type What, whats } from './load.ts';
import type { CalendarDay, CalendarDayRequest, CrewCapacity } from './types.ts';

/** A whole number from 0 to 1000, as it is typed. Messages are text keys. */
const count = z.string().check(z.trim(), z.regex(/^(?:\d{1,3}|1000)$/, { error: 'calendar:form.count' }));
const trucks = z.object({ '10ft': count, '20ft': count, '26ft': count });

/** Mates and trucks as they are typed; the fields stand where they stand in the request, and so do its refusals. */
const capacitySchema = z.object({ mates: count, trucks });
export type CapacityValues = z.infer<typeof capacitySchema>;

/** What is written down for one day. */
export const daySchema = z.object({
  mates: count,
  trucks,
  reason: z.string().check(z.trim(), z.maxLength(200, 'person:tooLong')),
});
export type DayValues = z.infer<typeof daySchema>;

/** Seven days, Monday first. */
export const weekSchema = z.object({ week: z.array(capacitySchema) });
export type WeekValues = z.infer<typeof weekSchema>;

/** Where a number stands in the fields of a day. */
export function pathOf(what: What): 'mates' | `trucks.${TruckSize}` {
  return what === 'mates' ? what : `trucks.${what}`;
}

/** Where a number stands in the fields of a week; Monday is 0. */
export function weekPath(index: number, what: What): `week.${number}.mates` | `week.${number}.trucks.${TruckSize}` {
  return what === 'mates' ? `week.${index}.mates` : `week.${index}.trucks.${what}`;
}

export function typed(values: CapacityValues, what: What): string {
  return what === 'mates' ? values.mates : values.trucks[what];
}

/** Numbers for each size of truck. */
function ofSizes<N>(numberOf: (size: TruckSize) => N): Record<TruckSize, N> {
  return Object.fromEntries(truckSizes.map((size) => [size, numberOf(size)])) as Record<TruckSize, N>;
}

export function valuesOf(capacity: CrewCapacity): CapacityValues {
  return { mates: String(capacity.mates), trucks: ofSizes((size) => String(countOf(capacity, size))) };
}

export function capacityOf(values: CapacityValues): CrewCapacity {
  return { mates: Number(values.mates), trucks: ofSizes((size) => Number(values.trucks[size])) };
}

export function dayValues({ planned, override }: CalendarDay): DayValues {
  return { ...valuesOf(planned), reason: override?.reason ?? '' };
}

export function dayBody({ reason, ...numbers }: DayValues): CalendarDayRequest {
  return { ...capacityOf(numbers), ...(reason ? { reason } : {}) };
}

/** A week as a colleague saved it, with what was typed here on top of it. `before` is what the form began with. */
export function mergedWeek(before: WeekValues, mine: WeekValues, theirs: WeekValues): WeekValues {
  return {
    week: theirs.week.map((their, index) => {
      const [was, now] = [before.week[index], mine.week[index]];
      if (!was || !now) return their;
      const pick = (what: What) => (typed(now, what) === typed(was, what) ? typed(their, what) : typed(now, what));
      return { mates: pick('mates'), trucks: ofSizes(pick) };
    }),
  };
}

/** Indexes of the days that differ. */
export function changedDays(one: WeekValues, other: WeekValues): number[] {
  return one.week.flatMap((day, index) => {
    const twin = other.week[index];
    return twin && whats.every((what) => typed(day, what) === typed(twin, what)) ? [] : [index];
  });
}
