import type { DispatchBoard, DispatchJob } from '../features/dispatch/types.ts';

/** A job of the first of March that waits for its people. */
export function someJob(change: Partial<DispatchJob>): DispatchJob {
  return {
    id: 'job-1',
    shortId: 'AAAA11',
    status: 'pending',
    hub: 'montreal',
    customerName: 'Ana Roy',
    moveKind: 'residential',
    date: '2027-03-01',
    time: '09:00',
    endTime: '11:00',
    zone: 'America/Toronto',
    startsAt: '2027-03-01T14:00:00Z',
    endsAt: '2027-03-01T16:00:00Z',
    occupiedFrom: '2027-03-01T13:00:00Z',
    occupiedUntil: '2027-03-01T17:00:00Z',
    durationMinutes: 120,
    mateCount: 2,
    truckSize: '20ft',
    pickup: { address: '1 Rue A, Laval', city: 'Laval', coords: { lat: 45.6066, lon: -73.7124 } },
    dropoff: { address: '2 Rue B, Montréal', city: 'Montréal', coords: { lat: 45.5019, lon: -73.5674 } },
    crew: [],
    truck: null,
    conflicts: [],
    ...change,
  };
}

/** Who is on a job, and has said nothing yet. */
export const person = (mateId: string, name: string) => ({
  mateId,
  name,
  acceptedAt: null,
  startedAt: null,
  finishedAt: null,
});

/** The first of March with these jobs; three mates and a truck. */
export function someBoard(jobs: DispatchJob[]): DispatchBoard {
  return {
    hub: 'montreal',
    depot: { lat: 45.5, lon: -73.6 },
    zone: 'America/Toronto',
    today: '2027-03-01',
    from: '2027-03-01',
    to: '2027-03-01',
    jobs,
    mates: [
      { id: 'm1', name: 'Ali Haddad', away: [] },
      { id: 'm2', name: 'Bea Li', away: [] },
      { id: 'm3', name: 'Chris Noel', away: ['2027-03-01'] },
    ],
    trucks: [{ id: 't1', name: 'Castor', size: '20ft', away: [] }],
    unassigned: jobs.filter(({ crew, mateCount }) => crew.length < mateCount).map(({ id }) => id),
  };
}
