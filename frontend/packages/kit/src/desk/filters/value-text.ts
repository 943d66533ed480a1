import { formatCalendarDate, formatDayAndClock, formatNumber, formatWallTime, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import type { Day } from '../dates/days.ts';
import { useRangeText } from '../dates/range-text.ts';
import type { Filter, FilterValue } from './filters.ts';

/** Answers a function that says what a filter is set to: two choices by name, more as "Pending and 3 more". */
export function useValueText(today: Day): (filter: Filter, value: FilterValue) => string {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const range = useRangeText(today, language);
  return (filter, value) => {
    if (value.kind === 'days') return range(value.range);
    if (value.kind === 'text') {
      const [day = '', time = ''] = value.text.split('T');
      return filter.kind === 'text' && filter.moment
        ? formatDayAndClock(formatCalendarDate(day, language), formatWallTime(time, language), language)
        : value.text;
    }
    if (value.kind === 'numbers') {
      const unit = filter.kind === 'numbers' && filter.unit ? `\u00A0${filter.unit}` : '';
      const write = (number: number) => formatNumber(number, language) + unit;
      const { from, to } = value.range;
      if (from === undefined) return t('filters.atMost', { number: write(to ?? 0) });
      if (to === undefined) return t('filters.atLeast', { number: write(from) });
      return from === to ? write(from) : t('dates.fromTo', { from: formatNumber(from, language), to: write(to) });
    }
    const labels = value.values.map((one) => {
      const option = filter.kind === 'choice' ? filter.options.find(({ value: known }) => known === one) : undefined;
      if (option) return option.label;
      const state = filter.kind === 'choice' ? filter.fetched?.state : undefined;
      // what the address holds is a number of the server's, and no word for people
      return state === 'loading' ? '…' : state ? t('filters.unknown') : one;
    });
    const [first = '', second = ''] = labels;
    if (labels.length === 1) return first;
    if (labels.length === 2) return t('filters.either', { first, second });
    return t('filters.andMore', { first, count: labels.length - 1 });
  };
}
