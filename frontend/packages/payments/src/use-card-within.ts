import type { Within } from '@portage/forms';
import type { SummaryItem } from '@portage/kit';
import { useRef, useState } from 'react';

import { type CardHandle, CardRefused } from './card-handle.ts';

/** A card in a form that asks for more than the card: one summary names what is wrong with either. */
export function useCardWithin() {
  const ref = useRef<CardHandle | null>(null);
  const [lines, setLines] = useState<SummaryItem[]>([]);
  const within: Within = {
    lines,
    check: async () => {
      const found = (await ref.current?.check()) ?? [];
      setLines(found);
      return found.length === 0;
    },
  };
  const tokenise = async () => {
    try {
      return (await ref.current?.tokenise()) ?? '';
    } catch (error) {
      if (error instanceof CardRefused) setLines(error.lines);
      throw error;
    }
  };
  return { within, tokenise, entry: { ref, onLines: setLines } };
}
