/** A way in or out that could not be gone, and how to try it again: the identity provider was not reached, or the browser blocks its storage. */
export interface SignTrouble {
  kind: 'signIn' | 'signOut' | 'storage';
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
