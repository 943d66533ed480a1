import { VisuallyHidden } from '@mantine/core';
import { useLanguage } from '@portage/i18n';
import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import type { Failure } from '../../states.tsx';
import { Failed, NothingFound } from '../states/states.tsx';
import { Body, type RowLinkProps } from './body.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { type Column, mainColumn } from './columns.ts';
import classes from './data-table.module.css';
import { Header } from './header.tsx';
import { InsteadOfRows, PastEnd, SkeletonRows } from './instead-of-rows.tsx';
import { NarrowTools } from './narrow-tools.tsx';
import { Pager } from './pager.tsx';
import { roles } from './roles.ts';
import type { TableState } from './table-state.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { type SelectionProps, useSelection } from './use-selection.ts';
import { useTableModel } from './use-table-model.ts';

export interface DataTableProps<Row> {
  /** What the rows are: the name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Says which row a checkbox belongs to. */
  rowName: (row: Row) => string;
  /** Draws the row's link around its main cell. */
  renderLink?: (row: Row, content: ReactNode, props: RowLinkProps) => ReactNode;
  /** Words for what rows belong to, while they come in that order: cards are headed by them. */
  groupOf?: (row: Row) => string;
  /** The row whose record is open beside the table: you are here. */
  openKey?: string | null;
  state: TableState;
  onState: (state: TableState) => void;
  selection?: SelectionProps;
  /** What can be done with the chosen rows. */
  bulkActions?: ReactNode;
  /** All rows that match, on every page: the server orders and cuts. Without, all rows are here. */
  total?: number;
  pageSizes?: readonly number[];
  /** `refreshing` keeps the rows that are there, dimmed. */
  status?: 'ready' | 'loading' | 'refreshing';
  failure?: { title: string; failure: Failure; onRetry?: () => void } | null;
  /** Shown when there is nothing and no filter hides it. */
  empty: ReactNode;
  /** Filters are set; without rows the table then offers to clear them. */
  filtered?: { onClear: () => void; text?: string } | null;
  /** Height of the part that scrolls; the page scrolls otherwise. */
  height?: string;
  /** Beside the choice of columns. */
  tools?: ReactNode;
}

/**
 * The list of the desk. Everything that belongs into the address is in `state`; with a `total` the rows come ordered and
 * cut from the server. At 696 px or less the rows become cards: dates and states leave no room for the other columns.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    rowKey,
    rowName,
    renderLink,
    openKey = null,
    state,
    onState,
    status = 'ready',
    failure,
    filtered,
  } = props;
  const { t } = useTranslation('desk');
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const main = mainColumn(props.columns)?.key;
  const model = useTableModel({
    columns: props.columns,
    rows: props.rows,
    rowKey,
    state,
    ordered: props.total !== undefined,
    language: useLanguage(),
  });
  const total = props.total ?? props.rows.length;
  const page = model.rows.map(({ key }) => key);
  const selection = useSelection(props.selection, page, total);
  const keys = useGridKeys(table, {
    onToggle: selection ? (key, ranged) => selection.toggle(key, ranged) : null,
    onExtend: selection?.extend ?? null,
    onSelectAll: selection ? () => selection.selectPage(true) : null,
    onClear: selection && selection.count > 0 ? selection.clear : null,
  });

  const change = (next: Partial<TableState>) => onState({ ...state, ...next });
  const width = model.columns.length + (selection ? 1 : 0);
  const bare = model.rows.length === 0;
  const first = props.columns.filter((column) => !column.offAtFirst).map((column) => column.key);
  const pageSizes = props.pageSizes ?? [25, 50, 100];
  const lastPage = Math.max(1, Math.ceil(total / state.perPage));
  // rows were taken away meanwhile, or the address is an old one: there are some, and none of them here
  // nothing of before to be kept while other rows are on their way
  const coming = bare && status === 'refreshing' && !failure;
  const pastEnd = props.total !== undefined && total > 0 && state.page > lastPage;

  return (
    <div
      className={classes['root']}
      data-rows={state.rows}
      data-cards={props.columns.some((column) => column.plain) ? 'dense' : undefined}
      data-grouped={props.groupOf ? true : undefined}
    >
      <div className={classes['tools']}>
        {props.tools}
        <NarrowTools
          columns={model.columns}
          sort={state.sort}
          selection={selection}
          onSort={(sort) => change({ sort, page: 1 })}
        />
        <span className={classes['view']}>
          <ColumnChoice columns={props.columns} main={main} state={state} first={first} onChange={change} />
        </span>
      </div>
      {failure && !bare ? <Failed {...failure} /> : null}
      <div
        className={classes['scroll']}
        style={props.height ? { maxHeight: props.height } : undefined}
        data-bulk={(selection && selection.count > 0) || undefined}
      >
        {/* the keys of the cells come up here */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <table
          ref={table}
          {...roles.grid}
          className={classes['table']}
          aria-label={label}
          aria-describedby={`${id}-keys`}
          aria-rowcount={props.total === undefined || bare ? undefined : total + 1}
          aria-multiselectable={selection ? true : undefined}
          aria-busy={status !== 'ready'}
          onFocus={keys.onFocus}
          onKeyDown={keys.onKeyDown}
        >
          <Header
            columns={model.columns}
            main={main}
            sort={state.sort}
            selection={selection}
            onSort={(sort) => change({ sort, page: 1 })}
          />
          {status === 'loading' || coming ? (
            <SkeletonRows columns={model.columns.length} checks={selection !== null} rows={8} />
          ) : bare && failure ? (
            <InsteadOfRows width={width}>
              <Failed {...failure} />
            </InsteadOfRows>
          ) : bare ? (
            <InsteadOfRows width={width}>
              {pastEnd ? (
                <PastEnd lastPage={lastPage} onPage={(page) => change({ page })} />
              ) : filtered ? (
                <NothingFound onClear={filtered.onClear} {...(filtered.text ? { filters: filtered.text } : {})} />
              ) : (
                props.empty
              )}
            </InsteadOfRows>
          ) : (
            <Body
              columns={model.columns}
              main={main}
              rows={model.rows}
              rowName={rowName}
              renderLink={renderLink}
              openKey={openKey}
              selection={selection}
              groupOf={props.groupOf}
              firstIndex={props.total === undefined ? null : (state.page - 1) * state.perPage + 2}
            />
          )}
        </table>
        {selection && props.selection ? (
          <BulkBar
            selection={selection}
            allMatching={props.selection.value.allMatching}
            total={total}
            actions={props.bulkActions}
          />
        ) : null}
      </div>
      {props.total !== undefined && total > 0 ? (
        <Pager label={label} state={state} total={total} sizes={pageSizes} onChange={change} />
      ) : null}
      <VisuallyHidden>
        <p id={`${id}-keys`}>{t(selection ? 'table.keysWithSelection' : 'table.keys')}</p>
        <div role="status">{status === 'loading' ? t('states.loading', { what: label }) : ''}</div>
      </VisuallyHidden>
    </div>
  );
}
