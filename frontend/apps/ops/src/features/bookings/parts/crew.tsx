import type { Booking } from '@portage/api';
import { formatList, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import classes from './crew.module.css';

/** Who comes, and how many are missing while somebody can still be found. */
export function Crew({ booking }: { booking: Pick<Booking, 'crew' | 'mateCount' | 'status'> }) {
  const { t } = useTranslation('bookings');
  const language = useLanguage();
  const names = (booking.crew ?? []).map((mate) => mate.name);
  const open = booking.status === 'pending' || booking.status === 'assigned';
  const count = open ? Math.max(0, booking.mateCount - names.length) : 0;
  if (names.length === 0 && count === 0) return <span className={classes['nobody']}>{t('row.nobody')}</span>;
  return (
    <span className={classes['root']}>
      {names.length > 0 ? <span className={classes['names']}>{formatList(names, language)}</span> : null}
      {count > 0 ? <span className={classes['needs']}>{t('row.needs', { count })}</span> : null}
    </span>
  );
}
