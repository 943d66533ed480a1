import { formatNumber, useLanguage } from '@portage/i18n';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { DispatchJob } from '../types.ts';
import { barOf, type Frame, frameOf, type Leg, type Point, type Spot } from './geometry.ts';
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

/** Drawn in pixels of the screen: marks and numbers are as large on a telephone as on a wide screen. */
function useSize() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const box = ref.current;
    if (!box) return undefined;
    const look = new ResizeObserver(() => setWidth(Math.max(240, Math.round(box.clientWidth))));
    look.observe(box);
    return () => look.disconnect();
  }, []);
  return { ref, width, height: Math.min(560, Math.max(300, Math.round(width * 0.7))) };
}

/** Places and routes, north up. It needs no map of streets from anywhere; what it shows stands in words beside it. */
export function Drawing({ label, depot, routes, waiting, chosen }: DrawingProps) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  const { ref, width, height } = useSize();
  const shown = routes.find(({ id }) => id === chosen);
  const ends = (jobs: readonly DispatchJob[]) => jobs.flatMap((job) => [job.pickup.coords, job.dropoff.coords]);
  const places = shown ? ends(shown.jobs) : [...routes.flatMap(({ jobs }) => ends(jobs)), ...ends(waiting)];
  const frame = frameOf(depot ? [depot, ...places] : places, { width, height });
  const bar = barOf(frame.scale, Math.min(160, width / 3));
  return (
    <div ref={ref} className={classes['drawing']}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {routes.map((route) =>
          route.id === chosen ? null : <Drawn key={route.id} route={route} frame={frame} faded={shown !== undefined} />,
        )}
        {waiting.map((job) => (
          <g key={job.id} className={classes['waits']} data-faded={shown !== undefined || undefined}>
            <Line from={frame.spot(job.pickup.coords)} to={frame.spot(job.dropoff.coords)} />
            <Ends job={job} frame={frame} />
          </g>
        ))}
        {shown ? <Drawn route={shown} frame={frame} faded={false} numbered /> : null}
        {depot ? <Depot {...frame.spot(depot)} /> : null}
        <g className={classes['bar']} transform={`translate(12 ${height - 14})`}>
          <path d={`M0 -4V0H${bar.width}V-4`} />
          <text x={bar.width + 6} y={1}>
            {t('map.scale', { km: formatNumber(bar.km, language) })}
          </text>
        </g>
      </svg>
    </div>
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
        <Ends key={job.id} job={job} frame={frame} />
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

/** Where a job begins is round, where it goes is square, as everywhere in Portage. */
function Ends({ job, frame }: { job: DispatchJob; frame: Frame }) {
  const [pickup, dropoff] = [frame.spot(job.pickup.coords), frame.spot(job.dropoff.coords)];
  return (
    <>
      <rect x={dropoff.x - 4} y={dropoff.y - 4} width={8} height={8} rx={1.5} />
      <circle cx={pickup.x} cy={pickup.y} r={4.5} />
    </>
  );
}

function Depot({ x, y }: Spot) {
  return <path className={classes['depot']} d={`M${x} ${y - 9}L${x + 9} ${y}L${x} ${y + 9}L${x - 9} ${y}Z`} />;
}
