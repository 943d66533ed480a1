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
}

export interface ChoiceFilter extends Named {
  kind: 'choice';
  options: readonly { value: string; label: string }[];
  /** Only one can be chosen at a time. */
  one?: boolean;
}

export interface DaysFilter extends Named {
  kind: 'days';
  presets?: readonly Preset[];
  min?: Day;
  max?: Day;
}

export type Filter = TextFilter | ChoiceFilter | DaysFilter;

export type FilterValue =
  | { kind: 'text'; text: string }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'days'; range: DateRange };

/** Values of the filters by key; a filter that is not set has no entry. */
export type FilterValues = Readonly<Record<string, FilterValue>>;

export interface FilterCodec {
  /** Reads what the filters know; whatever is unknown or wrong is left out silently. */
  read: (search: Record<string, unknown>) => FilterValues;
  /** Every filter's parameter, `undefined` where it is not set. Spread it over the rest of the address. */
  write: (values: FilterValues) => Record<string, string | undefined>;
}

function readValue(filter: Filter, raw: unknown): FilterValue | null {
  // routers hand over numbers for what looks like one: a telephone number is a text all the same
  const text = typeof raw === 'number' ? String(raw) : raw;
  if (filter.kind === 'days') {
    const range = readRange(text);
    return range === null ? null : { kind: 'days', range };
  }
  if (typeof text !== 'string' || text.trim() === '') return null;
  if (filter.kind === 'text') return { kind: 'text', text: text.trim() };
  const asked = text.split(',');
  const known = filter.options.map((option) => option.value).filter((value) => asked.includes(value));
  const values = filter.one ? known.slice(0, 1) : known;
  return values.length > 0 ? { kind: 'choice', values } : null;
}

function writeValue(value: FilterValue): string {
  if (value.kind === 'days') return writeRange(value.range);
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
