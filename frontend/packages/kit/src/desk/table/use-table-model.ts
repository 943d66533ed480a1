import { type Language } from '@portage/i18n';
import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';

import type { Column } from './columns.ts';
import type { Sort, TableState } from './table-state.ts';

const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

/** A row may be of any type; the library wants an object. */
interface Boxed<Row> {
  row: Row;
}

interface ModelOptions<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  state: TableState;
  /** The rows come in the order asked for. */
  ordered: boolean;
  language: Language;
}

/** The next order when a header is pressed: upwards, downwards, as the list comes. */
export function nextSort(sort: Sort | null, by: string): Sort | null {
  if (sort?.by !== by) return { by, descending: false };
  return sort.descending ? null : { by, descending: true };
}

/** Which columns and rows are drawn, in which order. Rows that are not ordered yet are ordered here by columns that say how. */
export function useTableModel<Row>({ columns, rows, rowKey, state, ordered, language }: ModelOptions<Row>) {
  const defs = useMemo(() => {
    const collator = new Intl.Collator(language, { numeric: true });
    const compare = (a: string | number, b: string | number) =>
      typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
    return columns.map((column): ColumnDef<typeof features, Boxed<Row>> => ({
      id: column.key,
      accessorFn: ({ row }) => column.sortValue?.(row),
      enableSorting: Boolean(column.sortable),
      sortFn: (a, b, id) => compare(a.getValue<string | number>(id), b.getValue<string | number>(id)),
    }));
  }, [columns, language]);
  const data = useMemo(() => rows.map((row): Boxed<Row> => ({ row })), [rows]);
  const sortedHere = !ordered && columns.some((column) => column.key === state.sort?.by && column.sortValue);
  const sorting = useMemo(
    () => (state.sort && sortedHere ? [{ id: state.sort.by, desc: state.sort.descending }] : []),
    [state.sort, sortedHere],
  );
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map((column) => [column.key, state.columns.includes(column.key)])),
    [columns, state.columns],
  );
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: ({ row }) => rowKey(row),
    state: { sorting, columnVisibility },
  });
  const shown = new Set(table.getVisibleLeafColumns().map((column) => column.id));
  return {
    columns: columns.filter((column) => shown.has(column.key)),
    rows: table.getRowModel().rows.map((row) => ({ key: row.id, row: row.original.row })),
  };
}
