import { formatTime, formatWallTime, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { montrealZone } from './start-time.tsx';

/** Minutes either side of a start within which the crew is promised. */
const half = 30;
/** The first start of a day, whose window begins with the day instead of before it. */
const opens = '08:00';

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

function timeOf(minute: number): string {
  const within = Math.min(Math.max(minute, 0), 24 * 60 - 1);
  return [Math.floor(within / 60), within % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The window promised around a start, `HH:MM` by the clock at the pickup: the same rule as in the server's e-mails. */
export function arrivalWindow(time: string): { from: string; until: string } {
  const start = minuteOf(time);
  const from = start === minuteOf(opens) ? start : start - half;
  return { from: timeOf(from), until: timeOf(start === from ? start + 2 * half : start + half) };
}

/** The promised window as a sentence, which names the clock where the pickup's differs from Montreal's. */
export function useArrivalText(): (startsAt: string | null, time: string) => string {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  return (startsAt, time) => {
    const window = arrivalWindow(time);
    const [from, until] = [formatWallTime(window.from, language), formatWallTime(window.until, language)];
    const elsewhere =
      startsAt !== null && formatTime(startsAt, montrealZone, language) !== formatWallTime(time, language);
    return elsewhere ? t('arrivalThere', { from, until }) : t('arrival', { from, until });
  };
}

/** When the crew comes. */
export function Arrival({ startsAt, time }: { startsAt: string | null; time: string }) {
  return useArrivalText()(startsAt, time);
}
