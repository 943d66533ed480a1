import { useSyncExternalStore } from 'react';

/** What lies over the page because a key or a button asked for it. */
export type Overlay = 'palette' | 'keys' | null;

let shown: Overlay = null;
const listeners = new Set<() => void>();

export function showOverlay(next: Overlay): void {
  shown = next;
  for (const listener of listeners) listener();
}

export function useOverlay(): Overlay {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => shown,
  );
}
