import { formatCalendarDate, useLanguage } from '@portage/i18n';
import { type Day, daysBetween } from '@portage/kit/desk/dates';
import { IconAlertTriangle, IconClockExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../company.ts';
import classes from './catalogue.module.css';

/** So many days ahead somebody has to renew it. */
const soonDays = 30;

export type Ends = 'expired' | 'soon' | 'later';

/** How long a paper still counts, its last day included. */
export function endsOf(day: Day, today = deskToday()): Ends {
  if (day < today) return 'expired';
  return daysBetween(today, day) - 1 <= soonDays ? 'soon' : 'later';
}

/** A calendar day, short, with its year. */
export function useShortDay(): (day: Day) => string {
  const language = useLanguage();
  return (day) => formatCalendarDate(day, language, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** The last day of a paper, with an alarm when it is over or near. `what` names the paper where nothing else does. */
export function LastDay({ day, what }: { day: Day; what?: string }) {
  const { t } = useTranslation('catalogue');
  const short = useShortDay();
  const ends = endsOf(day);
  const count = ends === 'soon' ? daysBetween(deskToday(), day) - 1 : 0;
  const text =
    ends === 'expired'
      ? t('ends.expired', { day: short(day) })
      : ends === 'later'
        ? short(day)
        : count === 0
          ? t('ends.today')
          : t('ends.soon', { day: short(day), count });
  const Sign = ends === 'expired' ? IconAlertTriangle : IconClockExclamation;
  return (
    <span className={classes['ends']} data-ends={ends}>
      {ends === 'later' ? null : <Sign size={16} stroke={1.75} aria-hidden />}
      <span>{what === undefined ? text : t('ends.of', { what, text })}</span>
    </span>
  );
}
