import '../texts.ts';

export type { RowLinkProps } from './body.tsx';
export type { Column } from './columns.ts';
export { DataTable, type DataTableProps } from './data-table.tsx';
export { isSelected, nothingSelected, type Selection } from './selection.ts';
export { type Sort, type TableCodec, tableCodec, type TableState } from './table-state.ts';
