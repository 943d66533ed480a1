import { montrealDay, montrealZone } from '@portage/domain';
import { formatCalendarDate, formatDayAndClock, formatTime, useLanguage } from '@portage/i18n';

/** A calendar day, short, with its year. */
export function useShortDay(): (day: string) => string {
  const language = useLanguage();
  return (day) => formatCalendarDate(day, language, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** An instant by Montreal's clock, short. */
export function useShortWhen(): (instant: string) => string {
  const language = useLanguage();
  const day = useShortDay();
  return (instant) =>
    formatDayAndClock(day(montrealDay(instant)), formatTime(instant, montrealZone, language), language);
}
