import type { Booking } from '@portage/api';
import { formatItems, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import classes from './crew.module.css';

/** Names as colleagues say them: the given one, with a letter more where two share it. */
export function shortNames(names: readonly string[]): string[] {
  const given = names.map((name) => name.trim().split(/\s+/u));
  return given.map(([first = '', last = '']) =>
    last && given.filter(([one]) => one === first).length > 1 ? `${first} ${last.charAt(0)}.` : first,
  );
}

interface CrewProps {
  booking: Pick<Booking, 'crew' | 'mateCount' | 'status'>;
  /** Given names only, for a line of a list. */
  short?: boolean;
}

/** Who comes, and how many are missing while somebody can still be found. */
export function Crew({ booking, short = false }: CrewProps) {
  const { t } = useTranslation('bookings');
  const language = useLanguage();
  const names = (booking.crew ?? []).map((mate) => mate.name);
  const open = booking.status === 'pending' || booking.status === 'assigned';
  const count = open ? Math.max(0, booking.mateCount - names.length) : 0;
  if (names.length === 0 && count === 0) return <span className={classes['nobody']}>{t('row.nobody')}</span>;
  return (
    <span className={classes['root']}>
      {names.length > 0 ? (
        <span
          className={classes['names']}
          data-short={short || undefined}
          title={short ? formatItems(names, language) : undefined}
        >
          {formatItems(short ? shortNames(names) : names, language)}
        </span>
      ) : null}
      {count > 0 ? <span className={classes['needs']}>{t('row.needs', { count })}</span> : null}
    </span>
  );
}
