import type { Booking } from '@portage/api';
import { cityName } from '@portage/domain';
import { type Language, useLanguage } from '@portage/i18n';
import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import classes from './where.module.css';

const sides: Record<string, string> = {
  Est: 'E',
  Ouest: 'O',
  Nord: 'N',
  Sud: 'S',
  East: 'E',
  West: 'W',
  North: 'N',
  South: 'S',
};
const kinds: Record<string, string> = { Street: 'St', Avenue: 'Ave', Boulevard: 'Blvd', Road: 'Rd', Drive: 'Dr' };
const frenchKind =
  /^(?:rue|avenue|boulevard|chemin|place|montée|côte)\s+(?:de\s+la\s+|(?:de\s+)?l[’']|d[’']|des\s+|du\s+|de\s+)?(?=\S)/iu;

/** A street as dispatchers say it: `3950 Rue Saint-Denis` is "Saint-Denis", `600 Queen Street West` "Queen St W". */
function shortStreet(street: string): string {
  return street
    .replace(/^\d\S*\s+/u, '')
    .replace(frenchKind, '')
    .split(/\s+/u)
    .map((word, at, all) =>
      at === 0 ? word : at === all.length - 1 ? (sides[word] ?? kinds[word] ?? word) : (kinds[word] ?? word),
    )
    .join(' ');
}

/** The two ends as a line has room for them; within one street the numbers tell them apart. */
export function shortEnds(from: string, to: string): [string, string] {
  const short: [string, string] = [shortStreet(from), shortStreet(to)];
  return short[0] === short[1] ? [from, to] : short;
}

/** What tells the two ends apart in a line: the towns, or the streets within one town. */
function namesOf({ pickup, dropoff }: Pick<Booking, 'pickup' | 'dropoff'>, language: Language): [string, string] {
  if (pickup.city !== dropoff.city) return [cityName(pickup.city, language), cityName(dropoff.city, language)];
  return [pickup.street || pickup.fullAddress, dropoff.street || dropoff.fullAddress];
}

/** The carry line, small: from here to there. */
export function Where({ booking }: { booking: Pick<Booking, 'pickup' | 'dropoff'> }) {
  const { t } = useTranslation('bookings');
  const [from, to] = namesOf(booking, useLanguage());
  const [shortFrom, shortTo] = shortEnds(from, to);
  return (
    <span className={classes['root']}>
      <VisuallyHidden>{t('row.arrow', { from, to })}</VisuallyHidden>
      <span className={classes['side']} aria-hidden>
        <span className={classes['dot']} />
        <span className={classes['name']} title={booking.pickup.fullAddress}>
          {shortFrom}
        </span>
      </span>
      <span className={classes['side']} aria-hidden>
        <span className={classes['line']} />
        <span className={classes['end']} />
        <span className={classes['name']} title={booking.dropoff.fullAddress}>
          {shortTo}
        </span>
      </span>
    </span>
  );
}

/** Stairs that the crew will feel: the highest floor without an elevator. */
export function Stairs({ booking }: { booking: Pick<Booking, 'pickup' | 'dropoff'> }) {
  const { t } = useTranslation('bookings');
  const floors = [booking.pickup, booking.dropoff].filter((end) => end.elevator === 0).map((end) => end.floor);
  const floor = Math.max(0, ...floors);
  if (floor < 2) return null;
  const words = t('row.stairs', { floor });
  return (
    <span className={classes['stairs']} title={words}>
      {words}
    </span>
  );
}
