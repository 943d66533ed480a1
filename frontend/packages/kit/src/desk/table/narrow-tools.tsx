import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { IconButton } from '../button/button.tsx';
import { CheckBox } from '../button/check-box.tsx';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import type { Sort } from './table-state.ts';
import type { SelectionControl } from './use-selection.ts';

interface NarrowToolsProps<Row> {
  columns: readonly Column<Row>[];
  sort: Sort | null;
  selection: SelectionControl | null;
  onSort: (sort: Sort | null) => void;
}

/** What the header does, for the width where rows are cards and there is no header. */
export function NarrowTools<Row>({ columns, sort, selection, onSort }: NarrowToolsProps<Row>) {
  const { t } = useTranslation('desk');
  const sortable = columns.filter((column) => column.sortable);
  const descending = sort?.descending ?? false;
  const Arrow = descending ? IconArrowDown : IconArrowUp;
  return (
    <span className={classes['narrow']}>
      {selection ? (
        <CheckBox
          label={t('table.selectPage')}
          checked={selection.all}
          partly={selection.some && !selection.all}
          onChange={(on) => selection.selectPage(on)}
        />
      ) : null}
      {sortable.length > 0 ? (
        <>
          <select
            className={classes['select']}
            aria-label={t('table.sortBy')}
            value={sort?.by ?? ''}
            onChange={(event) => {
              const by = event.currentTarget.value;
              onSort(by ? { by, descending } : null);
            }}
          >
            <option value="">{t('table.unsorted')}</option>
            {sortable.map((column) => (
              <option key={column.key} value={column.key}>
                {column.title}
              </option>
            ))}
          </select>
          <IconButton
            label={t(descending ? 'table.descending' : 'table.ascending')}
            disabled={!sort}
            onClick={() => (sort ? onSort({ ...sort, descending: !descending }) : undefined)}
          >
            <Arrow size={18} stroke={1.75} aria-hidden />
          </IconButton>
        </>
      ) : null}
    </span>
  );
}
