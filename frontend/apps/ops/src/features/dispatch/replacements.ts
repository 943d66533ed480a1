import type { CrewSuggestions, DispatchJob, SuggestedMate } from './types.ts';

/** A job somebody does not come to: who could go, the best first, and who is proposed. */
export interface Instead {
  job: DispatchJob;
  free: SuggestedMate[];
  /** Nobody is proposed when nobody is free, or whoever is has a place on one of these jobs already. */
  mateId: string | null;
}

/** Two jobs that nobody can be on both: they meet, or no time for the way between them is left. */
function meet(a: DispatchJob, b: DispatchJob): boolean {
  return a.occupiedFrom < b.occupiedUntil && b.occupiedFrom < a.occupiedUntil;
}

/** Who goes instead of a mate on each of these jobs; nobody is proposed for two that meet. */
export function replacementsOf(
  gone: string,
  jobs: readonly DispatchJob[],
  suggested: readonly CrewSuggestions[],
): Instead[] {
  const rows: Instead[] = [];
  for (const [at, job] of jobs.entries()) {
    const on = new Set(job.crew.map(({ mateId }) => mateId));
    const mates = suggested[at]?.mates ?? [];
    const free = mates.filter(({ id, free: isFree }) => isFree && id !== gone && !on.has(id));
    free.sort((a, b) => Number(b.suggested) - Number(a.suggested));
    const taken = new Set(rows.filter((row) => meet(row.job, job)).map(({ mateId }) => mateId));
    rows.push({ job, free, mateId: free.find(({ id }) => !taken.has(id))?.id ?? null });
  }
  return rows;
}
