import type { DispatchBoard, DispatchJob } from './types.ts';
import type { Lanes } from './use-address.ts';

/** A mate or a truck with its jobs, by their start. */
export interface Lane {
  id: string;
  name: string;
  /** Length of a truck's box, feet. */
  feet: number | null;
  away: boolean;
  jobs: DispatchJob[];
}

/** The lanes of a day: who may be sent, and whoever is on a job though they may not be sent any more. */
export function lanesOf(board: DispatchBoard, by: Lanes): Lane[] {
  const lanes = new Map<string, Lane>();
  if (by === 'mates') {
    for (const { id, name, away } of board.mates)
      lanes.set(id, { id, name, feet: null, away: away.length > 0, jobs: [] });
  } else {
    for (const { id, name, size, away } of board.trucks)
      lanes.set(id, { id, name, feet: Number.parseInt(size, 10), away: away.length > 0, jobs: [] });
  }
  for (const job of board.jobs) {
    const on =
      by === 'mates' ? job.crew.map(({ mateId, name }) => ({ id: mateId, name })) : job.truck ? [job.truck] : [];
    for (const { id, name } of on) {
      const lane = lanes.get(id) ?? { id, name, feet: null, away: false, jobs: [] };
      lane.jobs.push(job);
      lanes.set(id, lane);
    }
  }
  return [...lanes.values()];
}

/** The jobs that lack people, by their start. */
export function queueOf(board: DispatchBoard): DispatchJob[] {
  const waiting = new Set(board.unassigned);
  return board.jobs.filter(({ id }) => waiting.has(id));
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
const msPerMinute = 60_000;
/** Of a drawn day: from six in the morning to ten in the evening. */
export const [firstMinute, lastMinute] = [6 * 60, 22 * 60];
const share = (minute: number) =>
  ((Math.min(Math.max(minute, firstMinute), lastMinute) - firstMinute) / (lastMinute - firstMinute)) * 100;

/** Where a job stands in its lane, in hundredths of the day's width: the way there, the work, the way back. */
export function placeOf(job: DispatchJob): { left: number; width: number; work: { left: number; width: number } } {
  const start = minutesOf(job.time);
  const before = (Date.parse(job.startsAt) - Date.parse(job.occupiedFrom)) / msPerMinute;
  const after = (Date.parse(job.occupiedUntil) - Date.parse(job.startsAt)) / msPerMinute;
  const [left, right] = [share(start - before), share(start + after)];
  const width = Math.max(right - left, 1);
  const [from, until] = [share(start), share(start + job.durationMinutes)];
  return {
    left,
    width,
    work: { left: ((from - left) / width) * 100, width: (Math.max(until - from, 0.5) / width) * 100 },
  };
}
