import { montrealZone } from '@portage/domain';
import { dayIn, formatCalendarDate, formatDayAndClock, formatTime, useLanguage } from '@portage/i18n';

/** A calendar day, short, with its year. */
export function useShortDay(): (day: string) => string {
  const language = useLanguage();
  return (day) => formatCalendarDate(day, language, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** An instant, short, by Montreal's clock or the one of `zone`. */
export function useShortWhen(zone: string = montrealZone): (instant: string) => string {
  const language = useLanguage();
  const day = useShortDay();
  return (instant) =>
    formatDayAndClock(day(dayIn(zone, new Date(instant))), formatTime(instant, zone, language), language);
}
