import { describe, expect, it } from 'vitest';

import { someJob } from '../../test/dispatch-world.ts';
import { dropOf, type Place, withDrop } from './drop.ts';
import type { DispatchBoard } from './types.ts';

const person = (mateId: string) => ({ mateId, name: mateId, acceptedAt: null, startedAt: null, finishedAt: null });
const queue: Place = { by: 'queue' };
const mate = (id: string): Place => ({ by: 'mates', id });
const truck = (id: string): Place => ({ by: 'trucks', id });
const crew = (id: string): Place => ({ by: 'crews', id });
const castor = { id: 't1', name: 'Castor' };

describe('a job of two that is dropped', () => {
  it.each([
    ['on somebody, out of the queue', [], queue, mate('a'), ['a'], false],
    ['on the second, out of the queue', ['a'], queue, mate('b'), ['a', 'b'], true],
    ['on somebody instead of another', ['a', 'b'], mate('a'), mate('c'), ['c', 'b'], true],
    ['on somebody instead of the only one', ['a'], mate('a'), mate('c'), ['c'], true],
    ['on a crew of two', ['a'], crew('a'), crew('c+d'), ['c', 'd'], true],
    ['on a crew that is too large', [], queue, crew('c+d+e'), ['c', 'd', 'e'], false],
    ['on the queue', ['a', 'b'], mate('a'), queue, ['b'], false],
    ['on the queue, by its crew', ['a', 'b'], crew('a+b'), queue, [], false],
    ['on a truck', ['a', 'b'], truck('t1'), truck('t2'), ['a', 'b'], true],
    ['on a truck, with people missing', ['a'], truck('t1'), truck('t2'), ['a'], true],
    ['on a truck, without anybody', [], queue, truck('t2'), [], false],
    ['on the queue, out of its truck', ['a', 'b'], truck('t1'), queue, ['a', 'b'], true],
  ] as const)('%s', (_, on, from, to, mates, whole) => {
    const drop = dropOf(someJob({ crew: on.map(person), truck: castor }), from, to);
    const with_ = to.by === 'trucks' ? to.id : from.by === 'trucks' ? null : 't1';
    expect(drop).toEqual({ mates: [...mates], truck: with_, whole });
  });

  it.each([
    ['where it was', mate('a'), mate('a')],
    ['on somebody who is on it', mate('a'), mate('b')],
    ['on its own crew', crew('a+b'), crew('a+b')],
    ['on its own truck', mate('a'), truck('t1')],
    ['back on the queue', queue, queue],
  ])('%s stays', (_, from, to) => {
    expect(dropOf(someJob({ crew: [person('a'), person('b')], truck: castor }), from, to)).toBeNull();
  });
});

it('shows the board as it will be, and leaves the one before alone', () => {
  const before = {
    jobs: [someJob({ crew: [person('a')], truck: castor }), someJob({ id: 'job-2' })],
    mates: [{ id: 'b', name: 'Bea Li', away: [] }],
    trucks: [{ id: 't2', name: 'Lynx', size: '26ft', away: [] }],
    unassigned: ['job-1', 'job-2'],
  } as unknown as DispatchBoard;
  const kept = structuredClone(before);
  const after = withDrop(before, 'job-1', { mates: ['a', 'b'], truck: 't2', whole: true });
  expect(after.jobs[0]?.crew.map(({ name }) => name)).toEqual(['a', 'Bea Li']);
  expect(after.jobs[0]?.truck).toEqual({ id: 't2', name: 'Lynx' });
  expect(after.unassigned).toEqual(['job-2']);
  expect(after.jobs[1]).toBe(before.jobs[1]);
  expect(before).toEqual(kept);
});
