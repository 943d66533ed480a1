import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { CheckBox } from '../button/check-box.tsx';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import { roles } from './roles.ts';
import type { Sort } from './table-state.ts';
import type { SelectionControl } from './use-selection.ts';
import { nextSort } from './use-table-model.ts';

interface HeaderProps<Row> {
  columns: readonly Column<Row>[];
  main: string | undefined;
  sort: Sort | null;
  selection: SelectionControl | null;
  onSort: (sort: Sort | null) => void;
}

/** The header stays in sight. A column that can be ordered by is a button; the cell says the order. */
export function Header<Row>({ columns, main, sort, selection, onSort }: HeaderProps<Row>) {
  const { t } = useTranslation('desk');
  return (
    <thead {...roles.rows} className={classes['head']}>
      <tr {...roles.row} data-grid-row="">
        {selection ? (
          <th {...roles.title} scope="col" data-grid-cell className={classes['check']}>
            <CheckBox
              label={t('table.selectPage')}
              checked={selection.all}
              partly={selection.some && !selection.all}
              onChange={(on) => selection.selectPage(on)}
            />
          </th>
        ) : null}
        {columns.map((column) => {
          const order = sort?.by === column.key ? sort : null;
          const Arrow = order?.descending ? IconArrowDown : IconArrowUp;
          return (
            <th
              key={column.key}
              {...roles.title}
              scope="col"
              data-grid-cell
              data-numeric={column.numeric || undefined}
              data-main={column.key === main || undefined}
              data-yields={column.yields || undefined}
              style={{
                ...(column.width ? { minWidth: column.width } : {}),
                ...(column.share ? { width: `${column.share}%` } : {}),
              }}
              aria-sort={order ? (order.descending ? 'descending' : 'ascending') : undefined}
            >
              {column.sortable ? (
                <button
                  type="button"
                  className={classes['sort']}
                  data-sorted={Boolean(order) || undefined}
                  onClick={() => onSort(nextSort(sort, column.key))}
                >
                  <span>{column.title}</span>
                  <Arrow size={14} stroke={2} aria-hidden className={classes['arrow']} />
                </button>
              ) : (
                column.title
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
