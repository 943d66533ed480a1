import { catalogueQuery } from '@portage/furniture';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { draftStore, useDraftValue } from '../draft/draft-store.ts';
import { firstMissing, type WizardPath } from '../draft/steps.ts';
import { useEstimate } from '../estimate/estimate-context.tsx';

/**
 * Takes pieces off the list that the catalogue no longer has: they have no price, and no page shows them. Answers how many
 * kinds went. The catalogue is looked at once it is known, and asked for when a price was refused. What a booking has that is
 * being changed goes only when it cannot be priced.
 */
export function useKnownPieces(path: string): { gone: number; dismiss: () => void } {
  const navigate = useNavigate();
  const [gone, setGone] = useState(0);
  const { problem } = useEstimate();
  const refused = problem?.status === 422;
  const selected = useDraftValue((draft) => draft.selectedFurnitures);
  const editing = useDraftValue((draft) => draft.editing !== null);
  const { data } = useQuery({ ...catalogueQuery, enabled: refused });
  useEffect(() => {
    if (!data || (editing && !refused)) return;
    const known = new Set(data.data.map(({ id }) => id));
    const left = selected.filter(({ id }) => known.has(id));
    if (left.length === selected.length) return;
    draftStore.patch({ selectedFurnitures: left });
    queueMicrotask(() => setGone(selected.length - left.length));
    const missing = firstMissing(draftStore.get(), path as WizardPath);
    if (missing) void navigate({ to: missing, replace: true });
  }, [data, editing, navigate, path, refused, selected]);
  return { gone, dismiss: () => setGone(0) };
}
