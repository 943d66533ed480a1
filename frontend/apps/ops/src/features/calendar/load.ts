import { type TruckSize, truckSizes } from '@portage/api';

import type { CalendarDay, CrewCapacity } from './types.ts';

/** What a day offers and moves take: mates, and trucks of each size. */
export type What = 'mates' | TruckSize;
export const whats: readonly What[] = ['mates', ...truckSizes];

export function countOf(capacity: CrewCapacity, what: What): number {
  return what === 'mates' ? capacity.mates : (capacity.trucks[what] ?? 0);
}

/** Nobody works; some are free; none is left; more is taken than there is. */
export type LoadKind = 'closed' | 'free' | 'full' | 'over';

export interface Load {
  kind: LoadKind;
  /** Mates that are taken of those offered, in whole hundredths: 100 only when none is left. */
  percent: number;
}

/** How far a day is sold. A truck that is missing makes it short, too, whatever mates are free. */
export function loadOf({ offered, taken, closed }: CalendarDay): Load {
  const percent =
    offered.mates > 0 ? Math.floor((taken.mates * 100) / offered.mates) : taken.mates > 0 || !closed ? 100 : 0;
  if (whats.some((what) => countOf(taken, what) > countOf(offered, what))) return { kind: 'over', percent };
  if (closed) return { kind: 'closed', percent: 0 };
  return { kind: percent >= 100 ? 'full' : 'free', percent };
}

/** Whether any mate or truck is away. */
export function isAnyAway({ absent }: CalendarDay): boolean {
  return whats.some((what) => countOf(absent, what) > 0);
}
