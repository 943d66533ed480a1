import { useEffect } from 'react';

import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { useCrews } from '../../booking/estimate/comparisons.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { useLargestCrew } from '../../booking/estimate/rate-card.ts';
import { crewIsOurs, proposedCrew, usualCrew } from './crews.ts';

export interface ProposedCrew {
  /** So many mates were proposed instead of the usual crew, because fewer are refused; null where nothing was proposed. */
  mates: number | null;
  /** A crew that is refused waits for a proposal that is on its way. */
  settling: boolean;
}

/**
 * Keeps a crew that nobody chose in step with what is moved: the smallest one that may be booked online, from the usual
 * one on. A crew that somebody chose stays as it is, and a refusal of it is theirs to answer.
 */
export function useProposedCrew(): ProposedCrew {
  const draft = useDraft();
  const largestCrew = useLargestCrew();
  const compared = useCrews();
  const { blocking } = useEstimate();
  const ours = crewIsOurs(draft);
  // what was compared before the last change says nothing of this move
  const crews = compared.isPlaceholderData ? undefined : compared.data;
  const proposed = ours && crews ? proposedCrew(crews, largestCrew - (draft.clientAsMate ? 1 : 0)) : null;
  const differs = proposed !== null && proposed !== draft.mateCount;
  useEffect(() => {
    if (differs && proposed !== null) draftStore.patch({ mateCount: proposed });
  }, [differs, proposed]);
  // a list that is emptied needs no crew of a size
  const empty = draft.selectedFurnitures.every(({ quantity }) => quantity === 0);
  useEffect(() => {
    if (ours && empty) draftStore.patch({ mateCount: usualCrew });
  }, [ours, empty]);
  const coming = crews === undefined && !compared.isError;
  return {
    mates: ours && !empty && draft.mateCount > usualCrew ? draft.mateCount : null,
    settling: ours && blocking.length > 0 && (coming || differs),
  };
}
