import type { ApiProblem } from '@portage/api';

import { type What, whats } from './load.ts';

/** A day on which more would be taken than there is. */
export interface Shortfall {
  date: string;
  what: What;
  taken: number;
  offered: number;
}

/** So many the server names at most. */
export const mostShortfalls = 50;

/** The days that a change would leave short, out of a refusal; none when it says nothing readable of them. */
export function shortfallsOf({ code, members }: ApiProblem): Shortfall[] {
  const list = members['shortfalls'];
  if (code !== 'capacity_taken' || !Array.isArray(list)) return [];
  return list.flatMap((one: unknown): Shortfall[] => {
    const { date, what, taken, offered } = (one ?? {}) as Record<string, unknown>;
    const known = whats.find((name) => name === what);
    return typeof date === 'string' && known && typeof taken === 'number' && typeof offered === 'number'
      ? [{ date, what: known, taken, offered }]
      : [];
  });
}
