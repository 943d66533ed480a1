import { api, type DeskBooking, unwrap } from '@portage/api';
import { cityName } from '@portage/domain';
import { useLanguage } from '@portage/i18n';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Frame, Point } from '../../../shell/map/geometry.ts';
import { Ends, Sketch } from '../../../shell/map/sketch.tsx';
import classes from './way-map.module.css';

/** Whoever walks on through the rows looks at no way: it is asked for once the record has stayed so long. */
const stayMs = 400;
/** Points nearer together are one on the screen. */
const leastPixels = 1.5;

const shape = { ratio: 0.4, least: 180, most: 260 };

function useStayed(): boolean {
  const [stayed, setStayed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStayed(true), stayMs);
    return () => clearTimeout(timer);
  }, []);
  return stayed;
}

/** The way by the roads, as the service of maps knows it; none until it has answered, or where it cannot. */
function useRoads(pickup: Point, dropoff: Point): Point[] {
  const stayed = useStayed();
  const way = useQuery({
    queryKey: ['/geo/route', 'geometry', pickup, dropoff],
    queryFn: stayed
      ? async ({ signal }) => {
          const { geometry } = await unwrap(api.POST('/geo/route', { body: { pickup, dropoff }, signal }));
          return geometry.coordinates.flatMap(([lon, lat]): Point[] =>
            lon === undefined || lat === undefined ? [] : [{ lat, lon }],
          );
        }
      : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { personal: true },
  });
  return way.data ?? [];
}

function pathOf(points: readonly Point[], frame: Frame): string {
  const spots = points.map(frame.spot);
  const drawn = spots.slice(0, 1);
  for (const [at, spot] of spots.entries()) {
    const before = drawn.at(-1);
    if (!before || (at < spots.length - 1 && Math.hypot(spot.x - before.x, spot.y - before.y) < leastPixels)) continue;
    drawn.push(spot);
  }
  return drawn.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/** The way of a booking, drawn; the addresses and the distance stand in words beside it. */
export function WayMap({ booking }: { booking: Pick<DeskBooking, 'pickup' | 'dropoff'> }) {
  const { t } = useTranslation(['record', 'sketch']);
  const language = useLanguage();
  const [from, to] = [booking.pickup.coords, booking.dropoff.coords];
  const roads = useRoads(from, to);
  const byRoad = roads.length > 1;
  return (
    <figure className={classes['figure']}>
      <Sketch
        shape={shape}
        label={t('where.drawn', {
          from: booking.pickup.street || cityName(booking.pickup.city, language),
          to: booking.dropoff.street || cityName(booking.dropoff.city, language),
        })}
        places={[from, ...roads, to]}
      >
        {(frame) => (
          <g className={classes['way']} data-straight={!byRoad || undefined}>
            <path d={pathOf(byRoad ? roads : [from, to], frame)} />
            <Ends from={frame.spot(from)} to={frame.spot(to)} />
          </g>
        )}
      </Sketch>
      <figcaption className="pg-help">{t(byRoad ? 'where.roads' : 'sketch:straight')}</figcaption>
    </figure>
  );
}
