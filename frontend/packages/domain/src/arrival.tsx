import { formatTime, formatWallTime, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { montrealZone } from './start-time.tsx';

/** The hour within which the crew is promised, `HH:MM` by the clock at the pickup, as hold and booking say it: the e-mails have the same. */
export interface ArrivalWindow {
  from: string;
  until: string;
}

interface ArrivalProps {
  startsAt: string | null;
  time: string;
  window: ArrivalWindow;
}

/** The promised window as a sentence, which names the clock where the pickup's differs from Montreal's. */
export function useArrivalText(): (arrival: ArrivalProps) => string {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  return ({ startsAt, time, window }) => {
    const [from, until] = [formatWallTime(window.from, language), formatWallTime(window.until, language)];
    const elsewhere =
      startsAt !== null && formatTime(startsAt, montrealZone, language) !== formatWallTime(time, language);
    return elsewhere ? t('arrivalThere', { from, until }) : t('arrival', { from, until });
  };
}

/** When the crew comes. */
export function Arrival(props: ArrivalProps) {
  return useArrivalText()(props);
}
