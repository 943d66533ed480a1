/** Reads a value of unknown shape; undefined when it is not what is looked for. */
export type Read<T> = (value: unknown) => T | undefined;
/** A reader for every field of `T`; that of a field that starts as null reads what else it may be. */
export type Reads<T> = { [K in keyof T]-?: Read<NonNullable<T[K]>> };

export type Fields = Record<string, unknown>;
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Longer than any field takes, so that what was typed too long is still there to be shortened. */
const longest = 10_000;

export const text: Read<string> = (value) => (typeof value === 'string' ? value.slice(0, longest) : undefined);
export const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
export const textOf =
  (fits: (value: string) => unknown): Read<string> =>
  (value) =>
    typeof value === 'string' && fits(value) ? value : undefined;
export const within =
  (min: number, max: number): Read<number> =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max ? value : undefined;
export const whole =
  (min: number, max: number): Read<number> =>
  (value) =>
    Number.isInteger(value) ? within(min, max)(value) : undefined;
export const oneOf =
  <T>(known: readonly T[]): Read<T> =>
  (value) =>
    known.find((one) => one === value);

export const clock = textOf((value) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value));
export const instant = textOf((value) => !Number.isNaN(Date.parse(value)));
/** A day of the calendar: 31 February is none. */
export const day = textOf(
  (value) => /^\d{4}-\d\d-\d\d$/.test(value) && instant(value) && new Date(value).toISOString().startsWith(value),
);
export const zone = textOf((value) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value });
  } catch {
    return false;
  }
});

/** What fits of a list, and nothing of it twice. */
export const list =
  <T>(read: Read<T>, nameOf: (one: T) => unknown = (one) => one): Read<T[]> =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    const found = new Map<unknown, T>();
    for (const each of value.slice(0, longest)) {
      const one = read(each);
      if (one !== undefined && !found.has(nameOf(one))) found.set(nameOf(one), one);
    }
    return [...found.values()];
  };

/** All fields of an object, or nothing; what only `besides` reads may be missing. */
export const all =
  <T>(reads: Partial<Reads<T>>, besides: Partial<Reads<T>> = {}): Read<T> =>
  (value) => {
    if (!isObject(value)) return undefined;
    const read = (readers: object) =>
      Object.entries(readers as Record<string, Read<unknown>>).map(([key, one]) => [key, one(value[key])] as const);
    const needed = read(reads);
    if (needed.some(([, one]) => one === undefined)) return undefined;
    return Object.fromEntries([...needed, ...read(besides).filter(([, one]) => one !== undefined)]) as T;
  };

/** Each field of `empty` as it was kept, where that fits; a damaged one costs itself, not the others. */
export function taken<T extends object>(value: unknown, reads: Reads<T>, empty: T): T {
  const from = isObject(value) ? value : {};
  const kept = Object.entries(reads as Record<string, Read<unknown>>).map(([key, read]) => [key, read(from[key])]);
  return { ...empty, ...Object.fromEntries(kept.filter(([, one]) => one !== undefined)) };
}
