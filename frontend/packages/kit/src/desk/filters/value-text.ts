import { useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import type { Day } from '../dates/days.ts';
import { useRangeText } from '../dates/range-text.ts';
import type { Filter, FilterValue } from './filters.ts';

/** Answers a function that says what a filter is set to: two choices by name, more as "Pending and 3 more". */
export function useValueText(today: Day): (filter: Filter, value: FilterValue) => string {
  const { t } = useTranslation('desk');
  const range = useRangeText(today, useLanguage());
  return (filter, value) => {
    if (value.kind === 'days') return range(value.range);
    if (value.kind === 'text') return value.text;
    const labels = value.values.map(
      (one) => (filter.kind === 'choice' && filter.options.find((option) => option.value === one)?.label) || one,
    );
    const [first = '', second = ''] = labels;
    if (labels.length === 1) return first;
    if (labels.length === 2) return t('filters.either', { first, second });
    return t('filters.andMore', { first, count: labels.length - 1 });
  };
}
