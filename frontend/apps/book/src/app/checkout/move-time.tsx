import { formatCalendarDate, formatTime, formatWallTime, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

export const montrealZone = 'America/Toronto';

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export function dayIn(instant: string, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: zone }).format(
    new Date(instant),
  );
}

interface MoveTimeProps {
  /** What was promised: the day and wall-clock time at the pickup. */
  date: string;
  time: string;
  zone: string;
  startsAt: string;
}

/** The day in full, then the start in Montreal time, and after it the time at the pickup where the two differ. */
export function MoveTime({ date, time, zone, startsAt }: MoveTimeProps) {
  const { t } = useTranslation('schedule');
  const language = useLanguage();
  const montrealTime = formatTime(startsAt, montrealZone, language);
  const localTime = formatTime(startsAt, zone, language);
  const day = formatCalendarDate(dayIn(startsAt, montrealZone) || date, language, { dateStyle: 'full' });
  const clock =
    montrealTime === localTime ? formatWallTime(time, language) : t('schedule.localTime', { montrealTime, localTime });
  return (
    <time dateTime={startsAt}>
      {day}
      {language === 'zh' ? ' ' : ', '}
      {clock}
    </time>
  );
}
