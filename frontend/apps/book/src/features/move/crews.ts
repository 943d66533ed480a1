import type { CrewPrice } from '@portage/api';
import { centsOf } from '@portage/domain';

import { type Draft, emptyDraft } from '../../booking/draft/draft.ts';

/** The crew a move begins with. */
export const usualCrew = emptyDraft().mateCount;

/** Whether nobody has chosen the crew: a choice is counted in `numberOfHelpers`, a booking or a mailed quote has its own. */
export function crewIsOurs({ numberOfHelpers, editing, savedQuote }: Draft): boolean {
  return numberOfHelpers === 0 && editing === null && savedQuote === null;
}

/** The smallest crew that may be booked, from the usual one on; null where every one is refused. */
export function proposedCrew(crews: CrewPrice[], most: number): number | null {
  const allowed = crews.filter(
    ({ mateCount, warnings }) => mateCount >= usualCrew && mateCount <= most && warnings.length === 0,
  );
  return allowed.length > 0 ? Math.min(...allowed.map(({ mateCount }) => mateCount)) : null;
}

/** The clock after so many minutes, `HH:MM`, and how many days after the start that is. */
export function endOf(start: string, minutes: number): { clock: string; daysLater: number } {
  const [hour = 0, minute = 0] = start.split(':').map(Number);
  const all = hour * 60 + minute + minutes;
  const end = all % (24 * 60);
  const clock = [Math.floor(end / 60), end % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return { clock, daysLater: Math.floor(all / (24 * 60)) };
}

/** A crew that costs less than the chosen one and is done sooner, the cheapest of them; one that is refused is none. */
export function betterCrew(crews: CrewPrice[], chosen: number, most: number): CrewPrice | null {
  const now = crews.find(({ mateCount }) => mateCount === chosen);
  if (!now || now.warnings.length > 0) return null;
  const better = crews.filter(
    ({ mateCount, warnings, total, duration }) =>
      mateCount <= most && warnings.length === 0 && centsOf(total) < centsOf(now.total) && duration < now.duration,
  );
  return better.sort((a, b) => centsOf(a.total) - centsOf(b.total))[0] ?? null;
}
