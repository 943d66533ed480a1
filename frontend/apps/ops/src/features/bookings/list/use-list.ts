import type { DeskFilters } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import { filterCodec, type FilterValues } from '@portage/kit/desk/filters';
import { tableCodec, type TableState } from '@portage/kit/desk/table';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import { deskToday } from '../../../shell/company.ts';
import { leftOutOf } from '../../../shell/left-out.ts';
import { columnKeys } from './columns.tsx';
import { filtersFromApi, filtersToApi, useBookingFilters } from './filters.ts';

export const pageSizes = [25, 10, 50, 100];
const byMove = tableCodec({ columns: columnKeys, sort: { by: 'moveAt', descending: false }, perPage: pageSizes });
/** What is searched for comes in the order of how well it fits, unless another is asked for. */
const byMatch = tableCodec({ columns: columnKeys, sort: null, perPage: pageSizes });

export interface View {
  key?: string;
  /** What is searched for. */
  value?: string | null;
  filters?: DeskFilters;
  sort?: string | null;
  more?: Search;
}

/** Parameters of the address that every view leaves as they are. */
type Search = Record<string, unknown>;

/** What the address holds for this page beside its filters and its table. */
const otherNames = ['open', 'view', 'all', 'focus'];

/** Everything the list shows, read out of the address, and ways to change it. */
export function useList() {
  const search = useSearch({ from: '/desk/bookings' });
  const navigate = useNavigate({ from: '/bookings' });
  const language = useLanguage();
  const filters = useBookingFilters(search['partner'] !== undefined);
  const today = deskToday();
  const inAddress = useMemo(() => filterCodec(filters), [filters]);
  const values = inAddress.read(search);
  const value = values['q']?.kind === 'text' ? values['q'].text : '';
  const codec = value ? byMatch : byMove;
  const state = codec.read(search);
  const text = (name: string) => (typeof search[name] === 'string' ? search[name] : null);
  const go = (next: Search, replace = false) =>
    void navigate({ search: (before: Search) => ({ ...before, ...next }), replace, resetScroll: false });

  const searchOf = (view: View): Search => ({
    ...(view.key ? { view: view.key } : {}),
    ...filtersFromApi(view.filters ?? {}),
    ...(view.value ? inAddress.write({ q: { kind: 'text', text: view.value } }) : {}),
    ...(view.sort && view.sort !== 'moveAt' ? { sort: view.sort } : {}),
    ...(state.rows === 'roomy' ? { rows: 'roomy' } : {}),
    ...view.more,
  });

  return {
    filters,
    values,
    today,
    state,
    open: text('open'),
    view: text('view'),
    focusSearch: search['focus'] === 'search',
    all: search['all'] === true,
    leftOut: leftOutOf(search, inAddress, otherNames),
    hasFilters: Object.keys(values).length > 0,
    asked: {
      value,
      filters: filtersToApi(values, today, language),
      all: search['all'] === true,
      sort: state.sort,
      page: state.page,
      perPage: state.perPage,
      today,
    },
    setFilters: (next: FilterValues, typed = false) => {
      const leavesSearch = Boolean(values['q']) !== Boolean(next['q']);
      go({ ...inAddress.write(next), page: undefined, ...(leavesSearch ? { sort: undefined } : {}) }, typed);
    },
    setState: (next: TableState) => go(codec.write(next)),
    forgetFocus: () => go({ focus: undefined }, true),
    /** Opens a record beside the list; walking on from one to the next leaves no trail in the history. */
    setOpen: (id: string | null, replace = false) => go({ open: id ?? undefined }, replace),
    /** Address of a view: its filters and nothing of what was set before. */
    searchOf,
    /** Shows a view anew, without what was changed since. */
    show: (view: View & { id: string }) => void navigate({ search: searchOf({ ...view, key: view.id }) }),
  };
}

export type List = ReturnType<typeof useList>;
