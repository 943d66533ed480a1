import type { DispatchBoard, DispatchJob } from './types.ts';
import type { Lanes } from './use-address.ts';

/** A mate, a truck or a crew with its jobs, by their start. */
export interface Lane {
  id: string;
  /** Of a crew: none, it has those of its people. */
  name: string;
  /** Who makes up a crew, by name; empty for a mate or a truck. */
  crew: string[];
  /** Length of a truck's box, feet. */
  feet: number | null;
  away: boolean;
  /** The days they are away. */
  awayOn: readonly string[];
  jobs: DispatchJob[];
}

/** The lanes a job stands in. The same people are one crew, in whatever order they were named. */
function goingTo(job: DispatchJob, by: Lanes): { id: string; name: string; crew: string[] }[] {
  if (by === 'trucks') return job.truck ? [{ ...job.truck, crew: [] }] : [];
  if (by === 'mates') return job.crew.map(({ mateId, name }) => ({ id: mateId, name, crew: [] }));
  if (job.crew.length === 0) return [];
  const people = [...job.crew].sort((a, b) => a.name.localeCompare(b.name));
  return [{ id: people.map(({ mateId }) => mateId).join('+'), name: '', crew: people.map(({ name }) => name) }];
}

/** The lanes of some days: who may be sent, and whoever is on a job though they may not be sent any more. */
export function lanesOf(board: DispatchBoard, by: Lanes): Lane[] {
  const lanes = new Map<string, Lane>();
  if (by === 'mates') {
    for (const { id, name, away } of board.mates)
      lanes.set(id, { id, name, crew: [], feet: null, away: away.length > 0, awayOn: away, jobs: [] });
  } else if (by === 'trucks') {
    for (const { id, name, size, away } of board.trucks)
      lanes.set(id, {
        id,
        name,
        crew: [],
        feet: Number.parseInt(size, 10),
        away: away.length > 0,
        awayOn: away,
        jobs: [],
      });
  }
  for (const job of board.jobs) {
    for (const { id, name, crew } of goingTo(job, by)) {
      const lane = lanes.get(id) ?? { id, name, crew, feet: null, away: false, awayOn: [], jobs: [] };
      lane.jobs.push(job);
      lanes.set(id, lane);
    }
  }
  return [...lanes.values()];
}

/** What of a list is on a day. */
export function onDay(jobs: readonly DispatchJob[], day: string): DispatchJob[] {
  return jobs.filter(({ date }) => date === day);
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
