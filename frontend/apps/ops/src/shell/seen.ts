import type { components } from '@portage/api';

type MateJob = components['schemas']['MateJob'];

/** The jobs that a mate saw last, for when there is no network. Signing out forgets them. */
export interface Seen {
  /** Whose jobs they are. */
  who: string;
  /** When they were read, epoch milliseconds. */
  at: number;
  jobs: MateJob[];
}

const place = 'portage.crew.seen';
/** After so long they say nothing of the day any more, and a telephone that was lost should not tell them. */
const longest = 48 * 60 * 60 * 1000;

export function readSeen(): Seen | null {
  try {
    const seen = JSON.parse(localStorage.getItem(place) ?? 'null') as Seen | null;
    if (seen && Array.isArray(seen.jobs) && Date.now() - seen.at < longest) return seen;
    if (seen) forgetSeen();
    return null;
  } catch {
    return null;
  }
}

export function writeSeen(who: string, jobs: MateJob[]): void {
  try {
    localStorage.setItem(place, JSON.stringify({ who, at: Date.now(), jobs } satisfies Seen));
  } catch {
    // without room the pages show their jobs only with network
  }
}

export function forgetSeen(): void {
  try {
    localStorage.removeItem(place);
  } catch {
    // nothing was kept
  }
}
