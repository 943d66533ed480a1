import { formatCalendarDate, formatName, formatNumber, useLanguage } from '@portage/i18n';
import { addDays, type Day } from '@portage/kit/desk/dates';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { isAnyAway, type Load, loadOf, type What } from './load.ts';
import type { AbsenceRecord, CalendarDay } from './types.ts';

/** Mates, or trucks of a length. */
export function useWhatText(): (what: What) => string {
  const { t } = useTranslation(['calendar', 'shell']);
  return (what) => (what === 'mates' ? t('shell:area.mates') : t('trucks', { feet: Number.parseInt(what, 10) }));
}

/** Name of the mate or the truck that is away. */
export function nameOf({ who }: AbsenceRecord): string {
  return who.type === 'mate' ? formatName(who.name) : who.name;
}

/** Names of the weekdays, Monday first. */
export function useWeekdays(): string[] {
  const language = useLanguage();
  // this Monday is as good as any
  return Array.from({ length: 7 }, (_, index) =>
    formatCalendarDate(addDays('2027-01-04', index), language, { weekday: 'long' }),
  );
}

/** A day with its year, without its weekday. */
export function useDayName(): (day: Day) => string {
  const language = useLanguage();
  return (day) => formatCalendarDate(day, language, { dateStyle: 'long' });
}

/** Load of a day in a few letters, as it stands in its square. */
export function useLoadText(): (load: Load) => string {
  const { t } = useTranslation('calendar');
  const language = useLanguage();
  return useCallback(
    ({ kind, percent }) =>
      kind === 'closed' ? t('cell.closed') : formatNumber(percent / 100, language, { style: 'percent' }),
    [t, language],
  );
}

/** What there is to say of a day: its load, its holiday, and what makes it unlike its week. */
export function useDayFacts(): (day: CalendarDay) => string[] {
  const { t } = useTranslation('calendar');
  return useMemo(() => {
    const loadText = (day: CalendarDay): string => {
      const { kind } = loadOf(day);
      const values = { taken: day.taken.mates, offered: day.offered.mates };
      if (kind === 'closed') return t('load.closed');
      if (kind === 'over') return t('load.over', values);
      return kind === 'full' ? t('load.full', values) : t('load.free', values);
    };
    const [own, away] = [t('mark.own'), t('mark.away')];
    return (day) => [
      loadText(day),
      ...(day.holiday ? [day.holiday.name] : []),
      ...(day.override ? [own] : []),
      ...(isAnyAway(day) ? [away] : []),
    ];
  }, [t]);
}
