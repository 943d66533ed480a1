import { useSyncExternalStore } from 'react';

type Change = Record<string, string | number | undefined>;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
window.addEventListener('popstate', tell);

/** Sets what is named and leaves the rest of the address alone; `replace` leaves no step for Back. */
export function setAddress(change: Change, replace = false): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  if (url.href === location.href) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  tell();
}

/** The address's parameters; stands in for the router of an app. */
export function useAddress(): Record<string, string> {
  const search = useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => location.search,
  );
  return Object.fromEntries(new URLSearchParams(search));
}
