import { dayIn, formatCalendarDate, formatDayAndClock, formatTime, formatWallTime, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

export const montrealZone = 'America/Toronto';

/** The calendar day of an instant in Montreal, `YYYY-MM-DD`. */
export function montrealDay(instant: string): string {
  return dayIn(montrealZone, new Date(instant));
}

/**
 * A start as people are told it: the promised time at the pickup, and after it Montreal's where the two differ. The
 * promise is taken as the server gave it: a browser with old zone rules would work out another.
 */
export function useStartClock(): (startsAt: string, promised: string) => string {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  return (startsAt, promised) => {
    const montrealTime = formatTime(startsAt, montrealZone, language);
    const localTime = formatWallTime(promised, language);
    return montrealTime === localTime ? montrealTime : t('time.bothZones', { montrealTime, localTime });
  };
}

/** The start of a move with its day in full. Until the server has named its instant there is only the chosen day and no clock. */
export function StartTime({ date, time, startsAt }: { date: string; time: string | null; startsAt: string | null }) {
  const language = useLanguage();
  const clock = useStartClock();
  const full = (day: string) => formatCalendarDate(day, language, { dateStyle: 'full' });
  if (!startsAt || !time) return <time dateTime={date}>{full(date)}</time>;
  return (
    <time dateTime={startsAt}>{formatDayAndClock(full(montrealDay(startsAt)), clock(startsAt, time), language)}</time>
  );
}
