import { describe, expect, it } from 'vitest';

import { legsOf } from './legs.ts';

const montreal = { lat: 45.5019, lon: -73.5674 };
const laval = { lat: 45.6066, lon: -73.7124 };
const quebec = { lat: 46.8139, lon: -71.208 };

describe('a route', () => {
  const job = (pickup: typeof montreal, dropoff: typeof montreal) => ({
    pickup: { coords: pickup },
    dropoff: { coords: dropoff },
  });

  it('goes from the hub through the jobs in their order', () => {
    expect(legsOf(montreal, [job(laval, montreal), job(quebec, laval)])).toEqual([
      { from: montreal, to: laval, work: false },
      { from: laval, to: montreal, work: true },
      { from: montreal, to: quebec, work: false },
      { from: quebec, to: laval, work: true },
    ]);
    expect(legsOf(null, [job(laval, montreal)])).toEqual([{ from: laval, to: montreal, work: true }]);
    expect(legsOf(montreal, [])).toEqual([]);
  });
});
