import { useSyncExternalStore } from 'react';

/** A way in or out that could not be gone because the identity provider was not reached, and how to try it again. */
export interface SignTrouble {
  kind: 'signIn' | 'signOut';
  again: () => Promise<void>;
}

let current: SignTrouble | null = null;
const listeners = new Set<() => void>();

export function tellSignTrouble(trouble: SignTrouble | null): void {
  current = trouble;
  for (const listener of listeners) listener();
}

export function useSignTrouble(): SignTrouble | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
