import { type Card, getAt, isObject, type Json, leavesOf, sameJson } from './paths.ts';

/**
 * What two people made of the same card: theirs where only they changed something, mine everywhere else. A list of
 * another length is one thing: it is mine when I changed anything in it.
 */
export function merge(base: Json | undefined, mine: Json | undefined, theirs: Json | undefined): Json | undefined {
  if (sameJson(mine, base)) return theirs;
  if (sameJson(theirs, base)) return mine;
  if (isObject(mine) && isObject(theirs)) {
    const before: Card = isObject(base) ? base : {};
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
    return Object.fromEntries(
      keys.flatMap((key): [string, Json][] => {
        const value = merge(before[key], mine[key], theirs[key]);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  }
  if (Array.isArray(mine) && Array.isArray(theirs) && Array.isArray(base))
    if (mine.length === theirs.length && mine.length === base.length)
      return mine.map((value, index) => merge(base[index], value, theirs[index]) ?? null);
  return mine;
}

/** Places where two cards differ. */
export function changedPlaces(one: Card, other: Card): string[] {
  const places = new Set([...leavesOf(one), ...leavesOf(other)]);
  return [...places].filter((path) => !sameJson(getAt(one, path), getAt(other, path)));
}
