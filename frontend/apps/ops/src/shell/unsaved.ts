import { useEffect, useId } from 'react';

/** Forms on screen that hold something nobody has saved yet. */
const unsaved = new Set<string>();

/** Whether leaving the page would lose what somebody typed. */
export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Tells the frame that this form holds something unsaved for as long as `dirty` is true. */
export function useUnsaved(dirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    unsaved.add(id);
    return () => {
      unsaved.delete(id);
    };
  }, [dirty, id]);
}
