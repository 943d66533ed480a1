import { asProblem } from '@portage/api';
import { queryClient } from '@portage/frame';
import type { Failure } from '@portage/kit';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation } from '@tanstack/react-query';
import { createContext, type DragEvent, type ReactNode, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type Drop, dropOf, type Place, samePlace, withDrop } from './drop.ts';
import { dispatchKey, nameCrew } from './queries.ts';
import type { DispatchBoard, DispatchJob } from './types.ts';

interface Dragged {
  job: DispatchJob;
  from: Place;
}

interface Drag {
  dragged: Dragged | null;
  /** The lane under the pointer, where the job may be dropped. */
  over: Place | null;
  /** The job whose drop is being asked for. */
  saving: string | null;
  begin: (dragged: Dragged) => void;
  setOver: (place: Place | null) => void;
  drop: (to: Place) => void;
  end: () => void;
}

const DragContext = createContext<Drag | null>(null);

function useDrag(): Drag {
  const drag = useContext(DragContext);
  if (!drag) throw new Error('a lane or a card outside of DragBoard');
  return drag;
}

interface DragBoardProps {
  /** The query of the board that is shown. */
  queryKey: readonly unknown[];
  /** The drop leaves something to decide: the panel opens with it. */
  onAsk: (job: string, drop: Drop) => void;
  children: (refused: { job: DispatchJob; failure: Failure } | null) => ReactNode;
}

/**
 * Lets the jobs of a board be dragged from lane to lane. A drop shows at once; what the server refuses goes back to where
 * it was, and the reason is told. Whoever does not drag has "Move to…" on each card, which can do all of it.
 */
export function DragBoard({ queryKey, onAsk, children }: DragBoardProps) {
  const { t } = useTranslation('dispatch');
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [over, setOver] = useState<Place | null>(null);
  const save = useMutation({
    // what had no truck and was not dropped on one takes the one that is suggested
    mutationFn: ({ job, drop }: { job: DispatchJob; drop: Drop }) =>
      nameCrew(job.id, drop.mates, drop.truck ?? (job.truck ? null : undefined)),
    onMutate: async ({ job, drop }) => {
      // an answer that is under way would show the job where it was
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData<DispatchBoard>(queryKey);
      if (before) queryClient.setQueryData<DispatchBoard>(queryKey, withDrop(before, job.id, drop));
      return before;
    },
    onSuccess: (named) => showToast({ text: t('panel.saved', { number: named.shortId }) }),
    onError: (_, __, before) => queryClient.setQueryData(queryKey, before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: dispatchKey }),
  });
  const drag: Drag = {
    dragged,
    over,
    saving: save.isPending ? save.variables.job.id : null,
    // a refusal stays until the drop: without it the lanes would move under the pointer
    begin: setDragged,
    setOver,
    drop: (to) => {
      setDragged(null);
      setOver(null);
      const drop = dragged && dropOf(dragged.job, dragged.from, to);
      if (!drop) return;
      if (drop.whole) {
        save.mutate({ job: dragged.job, drop });
        return;
      }
      save.reset();
      onAsk(dragged.job.id, drop);
    },
    end: () => {
      setDragged(null);
      setOver(null);
    },
  };
  const refused = save.isError ? { job: save.variables.job, failure: asProblem(save.error) } : null;
  return <DragContext.Provider value={drag}>{children(refused)}</DragContext.Provider>;
}

/** What the card of a job needs to be dragged out of a lane; nothing while it cannot be given to somebody else. */
export function useDraggedCard(job: DispatchJob, from: Place) {
  const { dragged, saving, begin, end } = useDrag();
  const open = (job.status === 'pending' || job.status === 'assigned') && saving === null;
  return {
    'data-saving': saving === job.id || undefined,
    'data-dragged': (dragged?.job.id === job.id && samePlace(dragged.from, from)) || undefined,
    ...(open
      ? {
          draggable: true,
          onDragStart: (event: DragEvent) => {
            event.dataTransfer.effectAllowed = 'move';
            // Firefox drags nothing that carries nothing
            event.dataTransfer.setData('text/plain', job.shortId);
            begin({ job, from });
          },
          onDragEnd: end,
        }
      : {}),
  };
}

/** What a lane, or a day of it, needs so that jobs can be dropped there. */
export function useDropPlace() {
  const { dragged, over, setOver, drop } = useDrag();
  return (place: Place, day?: string) => {
    const takes =
      dragged !== null &&
      (day === undefined || dragged.job.date === day) &&
      dropOf(dragged.job, dragged.from, place) !== null;
    if (!takes) return {};
    const isOver = over !== null && samePlace(over, place);
    return {
      'data-takes': true,
      'data-over': isOver || undefined,
      onDragOver: (event: DragEvent) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
        if (!isOver) setOver(place);
      },
      onDragLeave: (event: DragEvent<HTMLElement>) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) setOver(null);
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        drop(place);
      },
    };
  };
}
