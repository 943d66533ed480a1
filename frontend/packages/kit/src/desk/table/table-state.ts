export interface Sort {
  by: string;
  descending: boolean;
}

/** Everything about a table that belongs into the address: a reload, a link and Back show the same rows. */
export interface TableState {
  sort: Sort | null;
  /** From 1. */
  page: number;
  perPage: number;
  /** Keys of the columns that are shown, in the table's order. */
  columns: readonly string[];
  /** Height of the rows. */
  rows: 'dense' | 'roomy';
}

/** What a router gives and takes. Values that are not ours are never looked at. */
export type Search = Record<string, unknown>;

export interface TableCodec {
  first: TableState;
  /** Reads what it knows; whatever is unknown or wrong silently falls back to the default. */
  read: (search: Search) => TableState;
  /** Only what differs from the default; `undefined` takes a parameter away. Spread it over the rest of the address. */
  write: (state: TableState) => Record<string, string | number | undefined>;
}

interface CodecOptions {
  columns: readonly { key: string; sortable?: boolean; main?: boolean; offAtFirst?: boolean }[];
  sort?: Sort | null;
  /** Page sizes that are offered, the usual one first. */
  perPage?: readonly number[];
  /** Keeps two tables on a page apart: `crew.page=2`. */
  prefix?: string;
}

export function tableCodec({ columns, sort = null, perPage = [50, 25, 100], prefix = '' }: CodecOptions): TableCodec {
  const first: TableState = {
    sort,
    page: 1,
    perPage: perPage[0] ?? 50,
    columns: columns.filter((column) => !column.offAtFirst).map((column) => column.key),
    rows: 'dense',
  };
  const main = (columns.find((column) => column.main) ?? columns[0])?.key;
  const sortable = new Set(columns.filter((column) => column.sortable).map((column) => column.key));
  const at = (name: string) => prefix + name;

  const readSort = (value: unknown): Sort | null => {
    if (value === 'none') return null;
    if (typeof value !== 'string') return sort;
    const descending = value.startsWith('-');
    const by = descending ? value.slice(1) : value;
    return sortable.has(by) ? { by, descending } : sort;
  };
  const readColumns = (value: unknown): readonly string[] => {
    if (typeof value !== 'string') return first.columns;
    const asked = new Set(value.split(','));
    const known = columns.map((column) => column.key).filter((key) => asked.has(key) || key === main);
    return known.some((key) => asked.has(key)) ? known : first.columns;
  };
  const whole = (value: unknown) => {
    const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN;
    return Number.isSafeInteger(number) && number >= 1 ? number : null;
  };
  const writeSort = (value: Sort | null) => (value === null ? 'none' : `${value.descending ? '-' : ''}${value.by}`);

  return {
    first,
    read: (search) => {
      const size = whole(search[at('perPage')]);
      return {
        sort: readSort(search[at('sort')]),
        page: whole(search[at('page')]) ?? 1,
        perPage: size !== null && perPage.includes(size) ? size : first.perPage,
        columns: readColumns(search[at('columns')]),
        rows: search[at('rows')] === 'roomy' ? 'roomy' : 'dense',
      };
    },
    write: (state) => ({
      [at('sort')]: writeSort(state.sort) === writeSort(sort) ? undefined : writeSort(state.sort),
      [at('page')]: state.page === 1 ? undefined : state.page,
      [at('perPage')]: state.perPage === first.perPage ? undefined : state.perPage,
      [at('columns')]: state.columns.join() === first.columns.join() ? undefined : state.columns.join(),
      [at('rows')]: state.rows === 'dense' ? undefined : state.rows,
    }),
  };
}
