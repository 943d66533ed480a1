import type { DispatchJob } from '../features/dispatch/types.ts';

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
    pickup: { address: '1 Rue A, Laval', city: 'Laval' },
    dropoff: { address: '2 Rue B, Montréal', city: 'Montréal' },
    crew: [],
    truck: null,
    conflicts: [],
    ...change,
  };
}
