import { formatNumber, useLanguage } from '@portage/i18n';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { IconButton } from '../button/button.tsx';
import classes from './pager.module.css';
import type { TableState } from './table-state.ts';

interface PagerProps {
  /** What the list is called: a page may have several. */
  label: string;
  state: TableState;
  total: number;
  /** Page sizes that are offered. */
  sizes: readonly number[];
  onChange: (change: Partial<TableState>) => void;
}

/** "1 to 50 of 128", a step back and forth, and how many a page holds. */
export function Pager({ label, state, total, sizes, onChange }: PagerProps) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const number = (value: number) => formatNumber(value, language);
  const last = Math.max(1, Math.ceil(total / state.perPage));
  const from = (state.page - 1) * state.perPage + 1;
  return (
    <nav aria-label={t('pager.label', { list: label })} className={classes['root']}>
      <label className={classes['size']}>
        <span>{t('pager.size')}</span>
        <select
          value={state.perPage}
          onChange={(event) => onChange({ perPage: Number(event.currentTarget.value), page: 1 })}
        >
          {[...sizes]
            .sort((a, b) => a - b)
            .map((size) => (
              <option key={size} value={size}>
                {number(size)}
              </option>
            ))}
        </select>
      </label>
      <span className={classes['where']}>
        {from > total
          ? t('pager.beyond', { total: number(total) })
          : t('pager.where', {
              from: number(from),
              to: number(Math.min(total, state.page * state.perPage)),
              total: number(total),
            })}
      </span>
      <span className={classes['steps']}>
        <IconButton
          label={t('pager.previous')}
          disabled={state.page <= 1}
          onClick={() => onChange({ page: Math.min(last, state.page - 1) })}
        >
          <IconChevronLeft size={18} stroke={1.75} aria-hidden />
        </IconButton>
        <IconButton
          label={t('pager.next')}
          disabled={state.page >= last}
          onClick={() => onChange({ page: state.page + 1 })}
        >
          <IconChevronRight size={18} stroke={1.75} aria-hidden />
        </IconButton>
      </span>
    </nav>
  );
}
