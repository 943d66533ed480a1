import { createContext, use } from 'react';

import type { Draft } from '../card/draft.ts';
import type { Card } from '../card/paths.ts';

/** What the fields of the card share. */
export interface CardEditor {
  draft: Draft;
  /** The card with all that was typed and can be read. */
  card: Card;
  /** The card as the change began. */
  base: Card;
  /** What is wrong with a place, in words. */
  errors: Readonly<Record<string, string>>;
  /** Changes the draft; what was said against the places within `path` is taken back. */
  change: (path: string, make: (draft: Draft) => Draft) => void;
}

export const CardContext = createContext<CardEditor | null>(null);

export function useCard(): CardEditor {
  const editor = use(CardContext);
  if (!editor) throw new Error('a field of a card stands outside of its form');
  return editor;
}
