import { useCallback, useState } from 'react';

const kept = 5;

function read(key: string): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, kept) : [];
  } catch {
    return []; // storage is switched off or holds something else: nothing is recent then
  }
}

/** Ids of the commands that were run last, kept on this device under `key`. Ids only: labels may name people. */
export function useRecent(key: string): [readonly string[], (id: string) => void] {
  const [recent, setRecent] = useState(() => read(key));
  const remember = useCallback(
    (id: string) => {
      const next = [id, ...read(key).filter((one) => one !== id)].slice(0, kept);
      setRecent(next);
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // see read
      }
    },
    [key],
  );
  return [recent, remember];
}
