// @vitest-environment node
import { expect, it } from 'vitest';

import { someJob } from '../../test/dispatch-world.ts';
import { lanesOf, placeOf, queueOf } from './lanes.ts';
import type { DispatchBoard, DispatchJob } from './types.ts';

const job = (id: string, change: Partial<DispatchJob> = {}) =>
  someJob({ id, shortId: id.toUpperCase(), status: 'assigned', ...change });
const mate = (mateId: string) => ({ mateId, name: mateId, acceptedAt: null, startedAt: null, finishedAt: null });
const board: DispatchBoard = {
  hub: 'montreal',
  zone: 'America/Toronto',
  today: '2027-03-01',
  from: '2027-03-01',
  to: '2027-03-01',
  jobs: [job('a', { crew: [mate('m1'), mate('gone')], truck: { id: 't1', name: 'Castor' } }), job('b')],
  mates: [
    { id: 'm1', name: 'Ali', away: [] },
    { id: 'm2', name: 'Bea', away: ['2027-03-01'] },
  ],
  trucks: [{ id: 't1', name: 'Castor', size: '20ft', away: [] }],
  unassigned: ['b'],
};

it('has a lane for everybody who may be sent, and for who is on a job all the same', () => {
  const lanes = lanesOf(board, 'mates');
  expect(lanes.map(({ id, away, jobs }) => [id, away, jobs.map((one) => one.id)])).toEqual([
    ['m1', false, ['a']],
    ['m2', true, []],
    ['gone', false, ['a']],
  ]);
  expect(lanesOf(board, 'trucks').map(({ feet, jobs }) => [feet, jobs.length])).toEqual([[20, 1]]);
  expect(lanesOf(board, 'crews').map(({ crew, jobs }) => [crew, jobs.length])).toEqual([[['gone', 'm1'], 1]]);
  expect(queueOf(board).map(({ id }) => id)).toEqual(['b']);
});

it('draws the work inside of the ways, between six and ten', () => {
  const place = placeOf(job('a'));
  // eight to noon of sixteen hours, the work in the middle half of it
  expect(place).toEqual({ left: 12.5, width: 25, work: { left: 25, width: 50 } });
  const early = placeOf(job('a', { time: '05:00', durationMinutes: 60 }));
  expect(early.left).toBe(0);
  expect(early.width).toBeGreaterThan(0);
});
