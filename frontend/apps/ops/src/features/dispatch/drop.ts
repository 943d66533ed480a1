import type { DispatchBoard, DispatchJob } from './types.ts';
import type { Lanes } from './use-address.ts';

/** Where a job is taken from and dropped: a lane by its id, or what lacks people. */
export type Place = { by: Lanes; id: string } | { by: 'queue' };

/** Who would go on a job after it was dropped, and with which truck. */
export interface Drop {
  mates: string[];
  truck: string | null;
  /**
   * Nothing is left to decide: it may be sent at once. Otherwise people are missing or too many, and since everybody on a
   * job is told of it, staff look at the whole crew first.
   */
  whole: boolean;
}

export const samePlace = (a: Place, b: Place): boolean =>
  a.by === b.by && (a.by === 'queue' || b.by === 'queue' || a.id === b.id);

/**
 * What a drop asks for: on a mate, they go instead of the mate whose lane the job came from, or with whoever is on it; on
 * a truck, it goes with that one; on a crew, those people go; on what lacks people, whoever it was taken from leaves.
 * Null where nothing would change.
 */
export function dropOf(job: DispatchJob, from: Place, to: Place): Drop | null {
  if (samePlace(from, to)) return null;
  const crew = job.crew.map(({ mateId }) => mateId);
  const had = job.truck?.id ?? null;
  const [mates, truck] = ((): [string[], string | null] => {
    if (to.by === 'queue') {
      if (from.by === 'mates') return [crew.filter((id) => id !== from.id), had];
      return from.by === 'trucks' ? [crew, null] : [[], had];
    }
    if (to.by === 'trucks') return [crew, to.id];
    if (to.by === 'crews') return [to.id.split('+'), had];
    if (crew.includes(to.id)) return [crew, had];
    if (from.by === 'mates') return [crew.map((id) => (id === from.id ? to.id : id)), had];
    return [[...crew, to.id], had];
  })();
  const samePeople = mates.length === crew.length && mates.every((id) => crew.includes(id));
  if (samePeople && truck === had) return null;
  // who was fewer before stays as many: that was decided then
  const asMany = mates.length === crew.length && from.by !== 'queue';
  return { mates, truck, whole: mates.length > 0 && (asMany || samePeople || mates.length === job.mateCount) };
}

/** The board as it will be once the server agrees; it is put back when the server does not. */
export function withDrop(board: DispatchBoard, id: string, { mates, truck }: Drop): DispatchBoard {
  const nameOf = (mate: string) => board.mates.find((one) => one.id === mate)?.name ?? '';
  const jobs = board.jobs.map((job) => {
    if (job.id !== id) return job;
    const known = board.trucks.find((one) => one.id === truck) ?? job.truck;
    return {
      ...job,
      crew: mates.map(
        (mateId) =>
          job.crew.find((one) => one.mateId === mateId) ?? {
            mateId,
            name: nameOf(mateId),
            acceptedAt: null,
            startedAt: null,
            finishedAt: null,
          },
      ),
      truck: truck === null || !known ? null : { id: truck, name: known.name },
      conflicts: [],
    };
  });
  const moved = jobs.find((job) => job.id === id);
  const lacks = !moved || moved.crew.length < moved.mateCount;
  return { ...board, jobs, unassigned: lacks ? board.unassigned : board.unassigned.filter((one) => one !== id) };
}
