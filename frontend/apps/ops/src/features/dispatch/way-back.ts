import { useCallback, useEffect, useRef } from 'react';

const find = (place: string) => document.querySelector<HTMLElement>(place);
const moveOf = (card: Element | null | undefined) => card?.querySelector<HTMLElement>('[data-move]')?.dataset['move'];

/**
 * Where the focus goes once the crew of a job was chosen: back to its card. Whoever came from what lacks people goes on there:
 * where the job has its people now, to the card that took its place.
 */
export function useWayBack(job: string | null): () => HTMLElement | null {
  const came = useRef<{ job: string; queue: boolean; next: string | undefined } | null>(null);
  useEffect(() => {
    if (job === null) return;
    const card = document.activeElement?.closest('[data-queue] li');
    came.current = {
      job,
      queue: card !== null && card !== undefined,
      next: moveOf(card?.nextElementSibling) ?? moveOf(card?.previousElementSibling),
    };
  }, [job]);
  return useCallback(() => {
    const from = came.current;
    if (!from) return null;
    const waiting = (id: string | undefined) => (id === undefined ? null : find(`[data-queue] [data-move="${id}"]`));
    const next = from.queue ? (waiting(from.job) ?? waiting(from.next) ?? find('[data-queue] [data-move]')) : null;
    return next ?? find(`[data-move="${from.job}"]`);
  }, []);
}
