/** Which rows are chosen: some by their keys, or everything that matches, on pages nobody has seen, too. */
export interface Selection {
  keys: ReadonlySet<string>;
  allMatching: boolean;
}

export const nothingSelected: Selection = { keys: new Set(), allMatching: false };

export function isSelected(selection: Selection, key: string): boolean {
  return selection.allMatching || selection.keys.has(key);
}

export function countSelected(selection: Selection, total: number): number {
  return selection.allMatching ? total : selection.keys.size;
}

/** Chooses or leaves rows. Leaving one of "everything that matches" leaves what is on this page: nothing else is known by key. */
export function selectRows(
  selection: Selection,
  keys: readonly string[],
  on: boolean,
  page: readonly string[],
): Selection {
  if (selection.allMatching && on) return selection;
  const next = new Set(selection.allMatching ? page : selection.keys);
  for (const key of keys) {
    if (on) next.add(key);
    else next.delete(key);
  }
  return { keys: next, allMatching: false };
}

/** The rows from the one pressed last to this one, in the order on screen; just this one when the other is gone. */
export function rowsBetween(page: readonly string[], anchor: string | null, key: string): readonly string[] {
  const from = anchor === null ? -1 : page.indexOf(anchor);
  const to = page.indexOf(key);
  if (from === -1 || to === -1) return [key];
  return page.slice(Math.min(from, to), Math.max(from, to) + 1);
}
