import type { components } from '@portage/api';

type MateJob = components['schemas']['MateJob'];

/** The jobs that a mate saw last, for when there is no network. Signing out forgets them, and what is kept of their records. */
export interface Seen {
  /** Whose jobs they are. */
  who: string;
  /** When they were read, epoch milliseconds. */
  at: number;
  jobs: MateJob[];
}

/** Where they lie; what is kept beside them begins with the same words, and goes with them. */
export const seenPlace = 'portage.crew.seen';
/** After so long they say nothing of the day any more, and a telephone that was lost should not tell them. */
export const longestSeen = 48 * 60 * 60 * 1000;

export function readSeen(): Seen | null {
  try {
    const seen = JSON.parse(localStorage.getItem(seenPlace) ?? 'null') as Seen | null;
    if (seen && Array.isArray(seen.jobs) && Date.now() - seen.at < longestSeen) return seen;
    if (seen) forgetSeen();
    return null;
  } catch {
    return null;
  }
}

export function writeSeen(who: string, jobs: MateJob[]): void {
  try {
    localStorage.setItem(seenPlace, JSON.stringify({ who, at: Date.now(), jobs } satisfies Seen));
  } catch {
    // without room the pages show their jobs only with network
  }
}

export function forgetSeen(): void {
  try {
    const places = Object.keys(localStorage).filter((one) => one === seenPlace || one.startsWith(`${seenPlace}.`));
    for (const one of places) localStorage.removeItem(one);
  } catch {
    // nothing was kept
  }
}
