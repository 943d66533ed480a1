/** A way in or out that could not be gone because the identity provider was not reached, and how to try it again. */
export interface SignTrouble {
  kind: 'signIn' | 'signOut';
  again: () => Promise<void>;
}

/** Holds the one trouble there may be, for the dialog that tells it. */
export function createSignTrouble() {
  let trouble: SignTrouble | null = null;
  const listeners = new Set<() => void>();
  return {
    tell: (next: SignTrouble | null): void => {
      trouble = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: (): SignTrouble | null => trouble,
  };
}
