import type { Frame, Point, Spot } from '../../../shell/map/geometry.ts';
import { Ends, Sketch } from '../../../shell/map/sketch.tsx';
import type { DispatchJob } from '../types.ts';
import type { Leg } from './legs.ts';
import classes from './map.module.css';

interface DrawnRoute {
  id: string;
  jobs: readonly DispatchJob[];
  legs: readonly Leg[];
}

interface DrawingProps {
  /** What it shows, in a sentence. */
  label: string;
  depot: Point | null;
  routes: readonly DrawnRoute[];
  /** Jobs that lack people. */
  waiting: readonly DispatchJob[];
  /** The route that stands out, alone in sight. */
  chosen: string | null;
}

/** The routes of a day; what it shows stands in words beside it. */
export function Drawing({ label, depot, routes, waiting, chosen }: DrawingProps) {
  const shown = routes.find(({ id }) => id === chosen);
  const ends = (jobs: readonly DispatchJob[]) => jobs.flatMap((job) => [job.pickup.coords, job.dropoff.coords]);
  const places = shown ? ends(shown.jobs) : [...routes.flatMap(({ jobs }) => ends(jobs)), ...ends(waiting)];
  return (
    <Sketch label={label} places={depot ? [depot, ...places] : places}>
      {(frame) => (
        <>
          {routes.map((route) =>
            route.id === chosen ? null : (
              <Drawn key={route.id} route={route} frame={frame} faded={shown !== undefined} />
            ),
          )}
          {waiting.map((job) => (
            <g key={job.id} className={classes['waits']} data-faded={shown !== undefined || undefined}>
              <Line from={frame.spot(job.pickup.coords)} to={frame.spot(job.dropoff.coords)} />
              <EndsOf job={job} frame={frame} />
            </g>
          ))}
          {shown ? <Drawn route={shown} frame={frame} faded={false} numbered /> : null}
          {depot ? <Depot {...frame.spot(depot)} /> : null}
        </>
      )}
    </Sketch>
  );
}

interface DrawnProps {
  route: DrawnRoute;
  frame: Frame;
  faded: boolean;
  numbered?: boolean;
}

function Drawn({ route, frame, faded, numbered = false }: DrawnProps) {
  return (
    <g className={classes['route']} data-faded={faded || undefined} data-chosen={numbered || undefined}>
      {route.legs.map(({ from, to, work }, n) => (
        // a route may go the same way twice: its place in the order tells its legs apart
        <Line key={`${String(n)} ${String(from.lat)}`} from={frame.spot(from)} to={frame.spot(to)} empty={!work} />
      ))}
      {route.jobs.map((job) => (
        <EndsOf key={job.id} job={job} frame={frame} />
      ))}
      {numbered
        ? route.jobs.map((job, n) => {
            const { x, y } = frame.spot(job.pickup.coords);
            return (
              <g key={job.id} className={classes['number']}>
                <circle cx={x} cy={y} r={10} />
                <text x={x} y={y + 4}>
                  {n + 1}
                </text>
              </g>
            );
          })
        : null}
    </g>
  );
}

function Line({ from, to, empty = false }: { from: Spot; to: Spot; empty?: boolean }) {
  return <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} data-empty={empty || undefined} />;
}

function EndsOf({ job, frame }: { job: DispatchJob; frame: Frame }) {
  return <Ends from={frame.spot(job.pickup.coords)} to={frame.spot(job.dropoff.coords)} />;
}

function Depot({ x, y }: Spot) {
  return <path className={classes['depot']} d={`M${x} ${y - 9}L${x + 9} ${y}L${x} ${y + 9}L${x - 9} ${y}Z`} />;
}
