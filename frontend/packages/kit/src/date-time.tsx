import { formatCalendarDate, formatDateTime, formatWallTime, useLanguage } from '@portage/i18n';

/** A calendar date and, when given, the wall-clock time promised at that place; no zone arithmetic. */
export function PromisedTime({ date, time }: { date: string; time?: string | null }) {
  const language = useLanguage();
  const day = formatCalendarDate(date, language, { dateStyle: 'full' });
  const separator = language === 'zh' ? ' ' : ', ';
  return (
    <time dateTime={time ? `${date}T${time}` : date}>
      {time ? `${day}${separator}${formatWallTime(time, language)}` : day}
    </time>
  );
}

/** An instant in a zone. */
export function DateTime({ value, zone, withZone = false }: { value: string; zone: string; withZone?: boolean }) {
  const language = useLanguage();
  return <time dateTime={value}>{formatDateTime(value, zone, language, withZone)}</time>;
}
