import { useSyncExternalStore } from 'react';

const small = '(max-width: 36em)';

function subscribe(told: () => void): () => void {
  const query = matchMedia(small);
  query.addEventListener('change', told);
  return () => query.removeEventListener('change', told);
}

/** A window as narrow as a telephone: the list of pieces opens over the page there. */
export function useSmallWindow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(small).matches);
}
