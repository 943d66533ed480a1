import { queryClient } from '@portage/frame';
import { type Filter, filterCodec, type FilterValues } from '@portage/kit/desk/filters';
import { tableCodec, type TableState } from '@portage/kit/desk/table';
import { useNavigate, useSearch } from '@tanstack/react-router';

import { leftOutOf } from '../left-out.ts';
import { useChanges } from '../live.ts';

/** Rows a page that are offered, the usual one first. */
export const pageSizes = [25, 10, 50, 100];
/** What the address has in the place of a key while a record is being added. */
const added = 'new';

type Search = Record<string, unknown>;

export interface CatalogueOptions {
  filters: readonly Filter[];
  columns: readonly { key: string; main?: boolean; offAtFirst?: boolean }[];
}

/** What a page of records shows, read out of the address: filters, page, the open record, whether it is being changed. */
export function useCatalogue({ filters, columns }: CatalogueOptions) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const inAddress = filterCodec(filters);
  const codec = tableCodec({ columns, perPage: pageSizes });
  const values = inAddress.read(search);
  const opened = typeof search['open'] === 'string' ? search['open'] : null;
  const go = (next: Search, replace = false) =>
    void navigate({
      to: '.',
      search: ((before: Search) => ({ ...before, ...next })) as never,
      replace,
      resetScroll: false,
    });
  return {
    filters,
    values,
    state: codec.read(search),
    hasFilters: Object.keys(values).length > 0,
    leftOut: leftOutOf(search, inAddress, ['open', 'edit']),
    /** The key of the record beside the list. */
    open: opened === added ? null : opened,
    adding: opened === added,
    editing: opened !== null && opened !== added && search['edit'] === true,
    text: (key: string) => (values[key]?.kind === 'text' ? values[key].text : ''),
    /** The one value of a choice, when it is set. */
    choice: <T extends string>(key: string, known: readonly T[]) => {
      const value = values[key]?.kind === 'choice' ? values[key].values[0] : undefined;
      return known.find((one) => one === value);
    },
    setFilters: (next: FilterValues, typed = false) => go({ ...inAddress.write(next), page: undefined }, typed),
    setState: (next: TableState) => go(codec.write(next)),
    /** Opens a record beside the list, or closes what is open; walking on leaves no trail in the history. */
    setOpen: (id: string | null, replace = false) => go({ open: id ?? undefined, edit: undefined }, replace),
    add: () => go({ open: added, edit: undefined }),
    edit: (on: boolean) => go({ edit: on || undefined }),
  };
}

export type Catalogue = ReturnType<typeof useCatalogue>;

/** Reads a list and its records again when a colleague changes one of the kind. */
export function useLiveCatalogue(kind: string, queryKey: readonly string[]): void {
  useChanges((change) => {
    if (change.kind === kind) void queryClient.invalidateQueries({ queryKey });
  });
}
