import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

import type { Day } from '../dates/days.ts';
import { AddFilter } from './add-filter.tsx';
import classes from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';
import { type Filter, type FilterValue, type FilterValues, withValue } from './filters.ts';
import { SearchBox } from './search-box.tsx';
import { useValueText } from './value-text.ts';

interface FilterBarProps {
  /** Tells two bars on a page apart. */
  label?: string;
  /** The first text filter is the search line; the others become chips once they are set. */
  filters: readonly Filter[];
  values: FilterValues;
  /** `typed` when the change comes from the search line: an address is then replaced instead of remembered. */
  onChange: (values: FilterValues, typed: boolean) => void;
  /** Today on the calendar of the place the days belong to. */
  today: Day;
  /** How many rows are left, in words; announced when it changes. */
  results?: string;
  /** "/" goes to the search line. */
  slash?: boolean;
}

/** Search first, then chips: what hides rows is always in sight and can be taken away one by one or at once. */
export function FilterBar({ label, filters, values, onChange, today, results, slash = true }: FilterBarProps) {
  const { t } = useTranslation('desk');
  const bar = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const words = useValueText(today);
  const search = filters.find((filter) => filter.kind === 'text');
  const others = filters.filter((filter) => filter !== search);
  const chips = others.filter((filter) => values[filter.key]);
  const found = search ? values[search.key] : undefined;

  const set = (key: string, value: FilterValue | null, typed = false) => onChange(withValue(values, key, value), typed);
  const remove = (key: string) => {
    const at = chips.findIndex((chip) => chip.key === key);
    const neighbour = chips[at + 1] ?? chips[at - 1];
    set(key, null);
    // the chip that had the focus is gone: its neighbour, or where one adds the next
    requestAnimationFrame(() => {
      const next = neighbour && bar.current?.querySelector<HTMLElement>(`[data-chip-remove="${neighbour.key}"]`);
      (next ?? add.current)?.focus();
    });
  };
  const clear = () => {
    onChange({}, false);
    requestAnimationFrame(() => (bar.current?.querySelector<HTMLElement>('input') ?? add.current)?.focus());
  };

  return (
    <div ref={bar} role="search" aria-label={label ?? t('filters.label')} className={classes['root']}>
      {search ? (
        <SearchBox
          label={search.label}
          placeholder={search.kind === 'text' ? search.placeholder : undefined}
          value={found?.kind === 'text' ? found.text : ''}
          onSearch={(text) => set(search.key, text ? { kind: 'text', text } : null, true)}
          slash={slash}
        />
      ) : null}
      {chips.length > 0 ? (
        <ul className={classes['chips']} aria-label={t('filters.set')}>
          {chips.map((filter) => {
            const value = values[filter.key];
            return value ? (
              <FilterChip
                key={filter.key}
                filter={filter}
                value={value}
                text={words(filter, value)}
                today={today}
                onChange={(next) => set(filter.key, next)}
                onRemove={() => remove(filter.key)}
              />
            ) : null;
          })}
        </ul>
      ) : null}
      <AddFilter ref={add} filters={others} values={values} today={today} onChange={set} />
      {Object.keys(values).length > 0 ? (
        <button type="button" className={classes['clear']} onClick={clear}>
          {t('filters.clear')}
        </button>
      ) : null}
      <span role="status" className={classes['results']}>
        {results}
      </span>
    </div>
  );
}
