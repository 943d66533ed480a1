import { asProblem, type RateCard } from '@portage/api';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { type Card, sameJson } from '../card/paths.ts';
import { addVersion, readLatest, removeRate } from '../queries.ts';

/** What is added to, and the highest version of it that was read. */
export interface Target {
  id: string;
  latest: number;
}

export interface Addition {
  target: Target;
  card: Card;
  /** Nothing = at once. */
  from: string | null;
}

/** Whether the version that was replaced is still there, because it could not be removed. */
const stays = (old: RateCard) =>
  removeRate(old).then(
    () => false,
    (error: unknown) => asProblem(error).status !== 404,
  );

/** Adds the next version. A planned version that was changed is removed after it: the new one takes its place. */
export function useAddVersion(first: RateCard, onAdded: (added: RateCard, oldStays: boolean) => unknown) {
  /** What a colleague saved meanwhile. */
  const [theirs, setTheirs] = useState<RateCard | null>(null);
  const lost = useRef(false);
  const add = async ({ target, card, from }: Addition): Promise<RateCard> => {
    try {
      return await addVersion(target.id, target.latest, card, from);
    } catch (error) {
      const { status } = asProblem(error);
      lost.current ||= status === 0 || status >= 500;
      // gone: a planned version that a colleague has removed or replaced
      if (status !== 412 && status !== 404) throw error;
      const latest = await readLatest(first.name).catch(() => null);
      // an earlier try was taken, and only its answer was lost
      if (status === 412 && lost.current && latest && sameJson(latest.card as Card, card)) return latest;
      setTheirs(latest);
      throw error;
    }
  };
  const save = useMutation({
    mutationFn: async (addition: Addition) => {
      const added = await add(addition);
      return { added, oldStays: first.state === 'planned' ? await stays(first) : false };
    },
    onSuccess: ({ added, oldStays }) => onAdded(added, oldStays),
  });
  return { save, theirs, setTheirs };
}
