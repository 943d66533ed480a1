/** A value of a rate card, as JSON has it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A value as text: what has no writing of its own, as JSON. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}
/** The figures of a rate card. What a newer server adds to them is kept as it came. */
export interface Card {
  [key: string]: Json;
}

/** A place as the server names it: `rates.ON.km_fee`, `periods[0].to`. */
export function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );
}

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a place; undefined when nothing does. */
export function getAt(value: Json, path: string): Json | undefined {
  let at: Json | undefined = value;
  for (const step of stepsOf(path)) {
    if (typeof step === 'number') at = Array.isArray(at) ? at[step] : undefined;
    else at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return at;
}

function put(value: Json | undefined, steps: readonly (string | number)[], leaf: Json): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return leaf;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : [];
    list[step] = put(list[step], rest, leaf);
    return list;
  }
  const object: Card = isObject(value) ? value : {};
  return { ...object, [step]: put(object[step], rest, leaf) };
}

/** The same card with another value at a place; what the place stands in is made when it is not there. */
export function setAt(card: Card, path: string, leaf: Json): Card {
  return put(card, stepsOf(path), leaf) as Card;
}

function take(value: Json | undefined, steps: readonly (string | number)[]): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    if (!Array.isArray(value) || step >= value.length) return value;
    if (rest.length === 0) return value.filter((_, index) => index !== step);
    return value.map((one, index) => (index === step ? (take(one, rest) ?? one) : one));
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  if (rest.length === 0) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step)) as Card;
  return { ...value, [step]: take(value[step], rest) ?? null };
}

/** The same card without what stands at a place; entries behind it in a list move up. */
export function removeAt(card: Card, path: string): Card {
  return take(card, stepsOf(path)) as Card;
}

/** Whether a place is another one, or lies within it. */
export function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);
}

/** The places of all single values. */
export function leavesOf(value: Json, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, `${path}[${index}]`));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, one]) => leavesOf(one, path === '' ? key : `${path}.${key}`));
  return [path];
}

/** Whether two values say the same, in whatever order objects have their keys. */
export function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => sameJson(value, other[index]));
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]))
    );
  }
  return one === other;
}
