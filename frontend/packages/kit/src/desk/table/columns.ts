import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  /** Short: it stands above the column and before the value on a card. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand right, with digits of equal width. */
  numeric?: boolean;
  /** The server can order by it, or `sortValue` can. */
  sortable?: boolean;
  /** Orders rows that are all here; a list that comes in pages is ordered by the server. */
  sortValue?: (row: Row) => string | number;
  /** Carries the row's link and names the row; cannot be hidden. The first column does unless another is marked. */
  main?: boolean;
  /** Shown only when somebody asks for it. */
  offAtFirst?: boolean;
  /** Says what it is without its name: on a card it stands in a row with others, and the name is only heard. */
  plain?: boolean;
  /** Gives way to the others where the frame is narrower than a laptop's; a card shows it. */
  yields?: boolean;
  /** Smallest width as CSS length; the text sets it otherwise. */
  width?: string;
  /**
   * For free text, which can be of any length: in percent, its part of what the columns without a share leave. What
   * does not fit is cut with an ellipsis, and no column is pushed out of the frame.
   */
  share?: number;
}

export function mainColumn<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  return columns.find((column) => column.main) ?? columns[0];
}
