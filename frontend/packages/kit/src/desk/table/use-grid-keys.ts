import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

const widgets = 'a[href], button, input, select, textarea';

interface GridActions {
  /** Chooses or leaves the row; `ranged` means everything since the last one. */
  onToggle: ((key: string, ranged: boolean) => void) | null;
  /** Shift and an arrow went from one row to another: the choice grows or shrinks with it. */
  onExtend: ((from: string, to: string) => void) | null;
  onSelectAll: (() => void) | null;
  onClear: (() => void) | null;
}

interface Place {
  row: number;
  cell: number;
  /** Which of several widgets of the cell. */
  part: number;
}

/** The rows of the table that can be reached: the header is left out while rows are drawn as cards. */
function rowsOf(table: HTMLElement): HTMLElement[] {
  return [...table.querySelectorAll<HTMLElement>('[data-grid-row]')].filter(
    (row) => getComputedStyle(row.parentElement ?? row).display !== 'none',
  );
}

/** The cells of a row that are drawn: a column may have given way. */
function cellsOf(row: HTMLElement | undefined): HTMLElement[] {
  if (!row) return [];
  return [...row.querySelectorAll<HTMLElement>('[data-grid-cell]')].filter(
    (cell) => !('yields' in cell.dataset) || getComputedStyle(cell).display !== 'none',
  );
}

/** What takes the focus in a cell: what can be operated in it, else the cell itself. */
function stopsOf(cell: HTMLElement | undefined): HTMLElement[] {
  if (!cell) return [];
  const found = [...cell.querySelectorAll<HTMLElement>(widgets)];
  return found.length > 0 ? found : [cell];
}

const clamp = (value: number, length: number) => Math.max(0, Math.min(length - 1, value));

/** Where a key leads; null when it is none of a grid's. */
function placeAfter(event: KeyboardEvent, at: Place, rows: HTMLElement[]): Place | null {
  const cells = cellsOf(rows[at.row]);
  const wide = event.ctrlKey || event.metaKey;
  const go = (row: number, cell = at.cell, part = 0): Place => ({ row: clamp(row, rows.length), cell, part });
  switch (event.key) {
    case 'ArrowDown':
      return go(at.row + 1);
    case 'ArrowUp':
      return go(at.row - 1);
    case 'PageDown':
      return go(at.row + 10);
    case 'PageUp':
      return go(at.row - 10);
    case 'ArrowRight':
      if (at.part + 1 < stopsOf(cells[at.cell]).length) return go(at.row, at.cell, at.part + 1);
      return go(at.row, clamp(at.cell + 1, cells.length));
    case 'ArrowLeft': {
      if (at.part > 0) return go(at.row, at.cell, at.part - 1);
      const cell = clamp(at.cell - 1, cells.length);
      return go(at.row, cell, cell === at.cell ? 0 : stopsOf(cells[cell]).length - 1);
    }
    case 'Home':
      return wide ? go(0, 0) : go(at.row, 0);
    case 'End':
      return wide ? go(rows.length - 1, cells.length - 1) : go(at.row, cells.length - 1);
    default:
      break;
  }
  if (wide || event.altKey) return null;
  if (event.key === 'j') return go(at.row + 1);
  if (event.key === 'k') return go(at.row - 1);
  return null;
}

/**
 * The keyboard of a grid: one tab stop for the whole table, arrows inside, j and k as down and up, x to choose a row.
 * The letters work only while the focus is in the table, and never while something is typed.
 */
export function useGridKeys(table: RefObject<HTMLTableElement | null>, actions: GridActions) {
  const place = useRef<Place | null>(null);

  const stopAt = (root: HTMLElement, at: Place): HTMLElement | undefined => {
    const rows = rowsOf(root);
    const cells = cellsOf(rows[clamp(at.row, rows.length)]);
    const stops = stopsOf(cells[clamp(at.cell, cells.length)]);
    return stops[clamp(at.part, stops.length)];
  };

  // after every drawing: whatever the cells hold, just one thing is in the page's tab order
  useLayoutEffect(() => {
    const root = table.current;
    if (!root) return;
    for (const row of rowsOf(root))
      for (const cell of cellsOf(row)) for (const stop of stopsOf(cell)) stop.tabIndex = -1;
    const first = { row: rowsOf(root).length > 1 ? 1 : 0, cell: 0, part: 0 };
    const stop = stopAt(root, place.current ?? first);
    if (stop) stop.tabIndex = 0;
  });

  const onFocus = (event: FocusEvent<HTMLTableElement>) => {
    const cell = event.target.closest<HTMLElement>('[data-grid-cell]');
    const row = cell?.closest<HTMLElement>('[data-grid-row]');
    if (!cell || !row) return;
    const before = place.current && stopAt(event.currentTarget, place.current);
    place.current = {
      row: rowsOf(event.currentTarget).indexOf(row),
      cell: cellsOf(row).indexOf(cell),
      part: Math.max(0, stopsOf(cell).indexOf(event.target)),
    };
    for (const stop of [before, ...event.currentTarget.querySelectorAll<HTMLElement>('[tabindex="0"]')])
      if (stop && stop !== event.target) stop.tabIndex = -1;
    event.target.tabIndex = 0;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const target = event.target as HTMLElement;
    // portalled menus bubble through React, not through the table
    if (!event.currentTarget.contains(target) || event.defaultPrevented || !place.current) return;
    const typing = target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select');
    if (typing) return;
    const rows = rowsOf(event.currentTarget);
    const keyOf = (row: number) => rows[row]?.dataset['gridRow'] ?? '';
    const key = keyOf(place.current.row);

    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && actions.onSelectAll) {
      event.preventDefault();
      actions.onSelectAll();
      return;
    }
    if (
      event.key.toLowerCase() === 'x' &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      key &&
      actions.onToggle
    ) {
      event.preventDefault();
      actions.onToggle(key, event.shiftKey);
      return;
    }
    if (event.key === 'Escape' && actions.onClear) {
      event.preventDefault();
      actions.onClear();
      return;
    }
    if (event.key === 'Enter' && target.matches('[data-grid-cell]')) {
      rows[place.current.row]?.querySelector<HTMLElement>('[data-row-link]')?.click();
      return;
    }
    const next = placeAfter(event, place.current, rows);
    if (!next) return;
    event.preventDefault();
    const vertical = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (vertical && event.shiftKey && key && keyOf(next.row) && next.row !== place.current.row)
      actions.onExtend?.(key, keyOf(next.row));
    stopAt(event.currentTarget, next)?.focus();
  };

  return { onFocus, onKeyDown };
}
