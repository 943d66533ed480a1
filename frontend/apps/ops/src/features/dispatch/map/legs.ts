import type { Point } from '../../../shell/map/geometry.ts';

/** A piece of a route: the work itself, or the way to it. */
export interface Leg {
  from: Point;
  to: Point;
  work: boolean;
}

/** From the hub to the first job, through it, on to the next, in their order. */
export function legsOf(
  depot: Point | null,
  jobs: readonly { pickup: { coords: Point }; dropoff: { coords: Point } }[],
): Leg[] {
  const legs: Leg[] = [];
  let at = depot;
  for (const { pickup, dropoff } of jobs) {
    if (at) legs.push({ from: at, to: pickup.coords, work: false });
    legs.push({ from: pickup.coords, to: dropoff.coords, work: true });
    at = dropoff.coords;
  }
  return legs;
}
