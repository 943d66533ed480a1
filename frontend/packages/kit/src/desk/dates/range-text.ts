import { formatCalendarDate, type Language } from '@portage/i18n';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

import type { Day } from './days.ts';
import { type DateRange, type Days, isPreset } from './range.ts';

/** `Jun 20` in the year of today, `Jun 20, 2026` in another. */
function shortDay(day: Day, today: Day, language: Language): string {
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  return formatCalendarDate(day, language, { month: 'short', day: 'numeric', ...year });
}

/** Words for a range: the preset's name, else its days. */
export function useRangeText(today: Day, language: Language): (range: DateRange) => string {
  const { t } = useTranslation('desk');
  return useCallback(
    (range) => {
      if (isPreset(range)) return t(`dates.preset.${range}`);
      return daysText(range);

      function daysText({ from, to }: Days): string {
        if (from && to) {
          if (from === to) return shortDay(from, today, language);
          return t('dates.fromTo', { from: shortDay(from, today, language), to: shortDay(to, today, language) });
        }
        if (from) return t('dates.since', { day: shortDay(from, today, language) });
        if (to) return t('dates.until', { day: shortDay(to, today, language) });
        return t('dates.any');
      }
    },
    [t, today, language],
  );
}
