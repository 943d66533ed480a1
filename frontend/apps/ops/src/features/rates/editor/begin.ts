import { serverNow } from '@portage/api';
import { montrealZone } from '@portage/domain';

import { instantIn } from '../card/instant.ts';

/** When the new version begins: at once, or at a day and time of the company. */
export interface Begin {
  at: 'once' | 'later';
  day: string;
  time: string;
}

/** Why a version cannot begin then. */
export type BeginFault = 'none' | 'noClock' | 'past' | 'far';

/** Nobody plans further ahead. */
const farDays = 3650;

/** The instant it begins at; null = at once. */
export function beginOf({ at, day, time }: Begin, now = serverNow()): { from: string | null } | { fault: BeginFault } {
  if (at === 'once') return { from: null };
  if (day === '' || time === '') return { fault: 'none' };
  const from = instantIn(montrealZone, day, time);
  if (from === null) return { fault: 'noClock' };
  if (Date.parse(from) < now) return { fault: 'past' };
  return Date.parse(from) > now + farDays * 86_400_000 ? { fault: 'far' } : { from };
}
