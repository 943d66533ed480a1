import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { CheckBox } from '../button/check-box.tsx';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import { roles } from './roles.ts';
import type { SelectionControl } from './use-selection.ts';

/** Given to whatever draws the link of a row; an app hands it to its router's link. */
export interface RowLinkProps {
  className: string;
  'data-row-link': true;
  'aria-current'?: 'true';
}

interface BodyProps<Row> {
  columns: readonly Column<Row>[];
  main: string | undefined;
  rows: readonly { key: string; row: Row }[];
  rowName: (row: Row) => string;
  renderLink: ((row: Row, content: ReactNode, props: RowLinkProps) => ReactNode) | undefined;
  openKey: string | null;
  selection: SelectionControl | null;
  /** What the row belongs to: above the first of each, cards have a heading. */
  groupOf: ((row: Row) => string) | undefined;
  /** Where the first of these rows stands in the whole list, the header counted; null when all rows are here. */
  firstIndex: number | null;
}

/**
 * A press anywhere on a row follows its link, with the same keys held, so that a new tab opens where people ask for one.
 * The link itself stays a real one; text can still be marked.
 */
function followRow(event: MouseEvent<HTMLTableRowElement>): void {
  const target = event.target as HTMLElement;
  if (target.closest('a, button, input, label, select, textarea') || getSelection()?.toString()) return;
  const link = event.currentTarget.querySelector<HTMLElement>('[data-row-link]');
  link?.dispatchEvent(
    new window.MouseEvent('click', {
      bubbles: true,
      cancelable: true,
      button: event.button,
      ctrlKey: event.ctrlKey || event.button === 1,
      metaKey: event.metaKey,
      shiftKey: event.shiftKey,
    }),
  );
}

export function Body<Row>({
  columns,
  main,
  rows,
  rowName,
  renderLink,
  openKey,
  selection,
  groupOf,
  firstIndex,
}: BodyProps<Row>) {
  const { t } = useTranslation('desk');
  return (
    <tbody {...roles.rows}>
      {rows.map(({ key, row }, index) => {
        const selected = selection?.isSelected(key) ?? false;
        const open = key === openKey;
        const group = groupOf?.(row);
        const before = rows[index - 1];
        const begins = group !== undefined && (before === undefined || groupOf?.(before.row) !== group);
        return (
          <Fragment key={key}>
            {begins ? (
              <tr {...roles.row} className={classes['group']}>
                <th {...roles.name} colSpan={columns.length + (selection ? 1 : 0)}>
                  <h2>{group}</h2>
                </th>
              </tr>
            ) : null}
            {/* the link in it carries the keyboard; the handler only makes the rest of the row a larger target for it */}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
            <tr
              {...roles.row}
              data-grid-row={key}
              data-open={open || undefined}
              data-link={renderLink ? true : undefined}
              aria-rowindex={firstIndex === null ? undefined : firstIndex + index}
              aria-selected={selection ? selected : undefined}
              onClick={renderLink ? followRow : undefined}
              onAuxClick={renderLink ? (event) => (event.button === 1 ? followRow(event) : undefined) : undefined}
            >
              {selection ? (
                <td {...roles.cell} data-grid-cell className={classes['check']}>
                  <CheckBox
                    label={t('table.selectRow', { row: rowName(row) })}
                    checked={selected}
                    onChange={(on, ranged) => selection.toggle(key, ranged, on)}
                  />
                </td>
              ) : null}
              {columns.map((column) => {
                const content = column.cell(row);
                const isMain = column.key === main;
                const isEmpty = content === null || content === undefined || content === '' || content === false;
                return (
                  <td
                    key={column.key}
                    {...(isMain ? roles.name : roles.cell)}
                    data-grid-cell
                    data-numeric={column.numeric || undefined}
                    data-main={isMain || undefined}
                    data-plain={column.plain || undefined}
                    data-yields={column.yields || undefined}
                    data-share={column.share ? true : undefined}
                    data-empty={isEmpty || undefined}
                  >
                    {isMain ? null : <span className={classes['name']}>{column.title}</span>}
                    <span className={classes['value']}>
                      {isMain && renderLink
                        ? renderLink(row, content, {
                            className: classes['link'] ?? '',
                            'data-row-link': true,
                            ...(open ? { 'aria-current': 'true' as const } : {}),
                          })
                        : content}
                    </span>
                  </td>
                );
              })}
            </tr>
          </Fragment>
        );
      })}
    </tbody>
  );
}
