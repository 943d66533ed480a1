import { type DateRange, type Preset, readRange, writeRange } from '../dates/range.ts';
import type { Day } from '../dates/days.ts';

interface Named {
  /** Also the name of the parameter in the address. */
  key: string;
  label: string;
}

export interface TextFilter extends Named {
  kind: 'text';
  placeholder?: string;
  /** A day with a time of day, chosen with the browser's own field: `YYYY-MM-DDTHH:MM`. */
  moment?: true;
}

export interface FetchedOptions {
  state: 'loading' | 'failed' | 'ready';
  /** Whether a text of the address can be one of the options. */
  fits: (value: string) => boolean;
  /** Somebody looks for an option, or tries again. */
  onWanted: () => void;
}

export interface ChoiceFilter extends Named {
  kind: 'choice';
  options: readonly { value: string; label: string }[];
  /** Only one can be chosen at a time. */
  one?: boolean;
  /** Options that are fetched when somebody wants them. Until they are there, a value that `fits` is kept as it is. */
  fetched?: FetchedOptions;
}

export interface DaysFilter extends Named {
  kind: 'days';
  presets?: readonly Preset[];
  min?: Day;
  max?: Day;
}

/** Numbers from one to another, both included; the same twice is that number alone. */
export interface NumbersFilter extends Named {
  kind: 'numbers';
  /** Stands after the numbers: "km". */
  unit?: string;
  min: number;
  max: number;
  /** Smallest step; whole numbers without it. */
  step?: number;
}

export type Filter = TextFilter | ChoiceFilter | DaysFilter | NumbersFilter;

export interface Numbers {
  from?: number;
  to?: number;
}

export type FilterValue =
  | { kind: 'text'; text: string }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'days'; range: DateRange }
  | { kind: 'numbers'; range: Numbers };

/** Values of the filters by key; a filter that is not set has no entry. */
export type FilterValues = Readonly<Record<string, FilterValue>>;

export interface FilterCodec {
  /** Reads what the filters know; whatever is unknown or wrong is left out. */
  read: (search: Record<string, unknown>) => FilterValues;
  /** The filters whose value in the address cannot be read, or only in part: a page says that they are left out. */
  unread: (search: Record<string, unknown>) => Filter[];
  /** Every filter's parameter, `undefined` where it is not set. Spread it over the rest of the address. */
  write: (values: FilterValues) => Record<string, string | undefined>;
}

/** Reads `2..5`, `2..` or `..5`; anything else, or beyond what the filter takes, is no range. */
function readNumbers({ min, max }: NumbersFilter, text: unknown): Numbers | null {
  const [, from = '', to = ''] = (typeof text === 'string' && /^(\d*\.?\d*)\.\.(\d*\.?\d*)$/.exec(text)) || [];
  const range = { ...(from ? { from: Number(from) } : {}), ...(to ? { to: Number(to) } : {}) };
  const given = Object.values(range);
  if (given.length === 0 || given.some((one) => Number.isNaN(one) || one < min || one > max)) return null;
  return (range.from ?? min) > (range.to ?? max) ? null : range;
}

function readValue(filter: Filter, raw: unknown): FilterValue | null {
  // routers hand over numbers for what looks like one: a telephone number is a text all the same
  const text = typeof raw === 'number' ? String(raw) : raw;
  if (filter.kind === 'days') {
    const range = readRange(text);
    return range === null ? null : { kind: 'days', range };
  }
  if (filter.kind === 'numbers') {
    const range = readNumbers(filter, text);
    return range === null ? null : { kind: 'numbers', range };
  }
  if (typeof text !== 'string' || text.trim() === '') return null;
  if (filter.kind === 'text') {
    const fits = !filter.moment || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text.trim());
    return fits ? { kind: 'text', text: text.trim() } : null;
  }
  const asked = text.split(',');
  const known = filter.fetched
    ? asked.filter(filter.fetched.fits)
    : filter.options.map((option) => option.value).filter((value) => asked.includes(value));
  const values = filter.one ? known.slice(0, 1) : known;
  return values.length > 0 ? { kind: 'choice', values } : null;
}

/** Whether something is said for a filter that its value does not hold. */
function isLeftOut(filter: Filter, raw: unknown): boolean {
  if (raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')) return false;
  const value = readValue(filter, raw);
  if (value?.kind !== 'choice') return value === null;
  return typeof raw === 'string' && raw.split(',').some((one) => !value.values.includes(one));
}

function writeValue(value: FilterValue): string {
  if (value.kind === 'days') return writeRange(value.range);
  if (value.kind === 'numbers') return `${value.range.from ?? ''}..${value.range.to ?? ''}`;
  return value.kind === 'choice' ? value.values.join() : value.text;
}

export function filterCodec(filters: readonly Filter[], prefix = ''): FilterCodec {
  return {
    read: (search) =>
      Object.fromEntries(
        filters.flatMap((filter) => {
          const value = readValue(filter, search[prefix + filter.key]);
          return value === null ? [] : [[filter.key, value]];
        }),
      ),
    unread: (search) => filters.filter((filter) => isLeftOut(filter, search[prefix + filter.key])),
    write: (values) =>
      Object.fromEntries(
        filters.map(({ key }) => {
          const value = values[key];
          return [prefix + key, value ? writeValue(value) : undefined];
        }),
      ),
  };
}

/** Answers the values with one of them set, or removed when `value` is null. */
export function withValue(values: FilterValues, key: string, value: FilterValue | null): FilterValues {
  const { [key]: _, ...rest } = values;
  return value === null ? rest : { ...rest, [key]: value };
}
