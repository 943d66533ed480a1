import { type RefObject, useEffect, useRef } from 'react';

/**
 * Leads to what a press has brought: the element takes the focus and comes into view, once for every new `because`; not
 * while that is empty. It jumps there, so that nothing moves for those who asked for less motion.
 */
export function useLeadTo<Box extends HTMLElement>(because: unknown): RefObject<Box | null> {
  const box = useRef<Box>(null);
  useEffect(() => {
    const { current } = box;
    if (!because || !current) return;
    current.focus({ preventScroll: true });
    // what is higher than half the window is read from its begin
    current.scrollIntoView({ block: current.offsetHeight > window.innerHeight / 2 ? 'start' : 'center' });
  }, [because]);
  return box;
}
