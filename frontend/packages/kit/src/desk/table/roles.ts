/**
 * The roles of the parts of a grid, said aloud although the elements imply them: where rows are drawn as cards, `display`
 * makes browsers forget what a table is. A list that is worked with the arrow keys is a grid: one tab stop.
 */
export const roles = {
  grid: { role: 'grid' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  title: { role: 'columnheader' },
  cell: { role: 'gridcell' },
  /** The cell that names its row, or the rows below it. */
  name: { role: 'rowheader' },
} as const;
