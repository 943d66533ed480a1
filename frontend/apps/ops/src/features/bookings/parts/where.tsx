import type { Booking } from '@portage/api';
import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import classes from './where.module.css';

/** What tells the two ends apart in a line: the towns, or the streets within one town. */
function namesOf({ pickup, dropoff }: Pick<Booking, 'pickup' | 'dropoff'>): [string, string] {
  if (pickup.city !== dropoff.city) return [pickup.city, dropoff.city];
  return [pickup.street || pickup.fullAddress, dropoff.street || dropoff.fullAddress];
}

/** The carry line, small: from here to there. */
export function Where({ booking }: { booking: Pick<Booking, 'pickup' | 'dropoff'> }) {
  const { t } = useTranslation('bookings');
  const [from, to] = namesOf(booking);
  return (
    <span className={classes['root']}>
      <VisuallyHidden>{t('row.arrow', { from, to })}</VisuallyHidden>
      <span className={classes['dot']} aria-hidden />
      <span className={classes['name']} aria-hidden title={booking.pickup.fullAddress}>
        {from}
      </span>
      <span className={classes['line']} aria-hidden />
      <span className={classes['end']} aria-hidden />
      <span className={classes['name']} aria-hidden title={booking.dropoff.fullAddress}>
        {to}
      </span>
    </span>
  );
}

/** Stairs that the crew will feel: the highest floor without an elevator. */
export function Stairs({ booking }: { booking: Pick<Booking, 'pickup' | 'dropoff'> }) {
  const { t } = useTranslation('bookings');
  const floors = [booking.pickup, booking.dropoff].filter((end) => end.elevator === 0).map((end) => end.floor);
  const floor = Math.max(0, ...floors);
  return floor < 2 ? null : <span className={classes['stairs']}>{t('row.stairs', { floor })}</span>;
}
