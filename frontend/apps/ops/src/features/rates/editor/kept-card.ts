import type { Draft } from '../card/draft.ts';
import { type Card, isObject, type Json } from '../card/paths.ts';
import type { Begin } from './begin.ts';

/** What is kept of a change, so that a reload does not lose it. */
export interface KeptCard {
  /** The version that the change is added to. */
  id: string;
  /** The highest version that was read. */
  latest: number;
  base: Card;
  draft: Draft;
  begin: Begin;
}

/** The name it is kept under. */
export const keptName = (id: string) => `rate-${id}`;

/** A change as it was kept; null when it is none, or of another shape. */
export function keptCard(value: unknown): KeptCard | null {
  const kept = value as Json | undefined;
  if (!isObject(kept)) return null;
  const { id, latest, base, draft, begin } = kept;
  if (typeof id !== 'string' || typeof latest !== 'number' || !isObject(base)) return null;
  if (!isObject(draft) || !isObject(draft['card']) || !isObject(draft['typed']) || !isObject(begin)) return null;
  const { at, day, time } = begin;
  if ((at !== 'once' && at !== 'later') || typeof day !== 'string' || typeof time !== 'string') return null;
  const typed = Object.fromEntries(
    Object.entries(draft['typed']).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
  return { id, latest, base, draft: { card: draft['card'], typed }, begin: { at, day, time } };
}
