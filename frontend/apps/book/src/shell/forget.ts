import { queryClient } from '@portage/frame';

/** Called when a person signs out. A module that keeps something of the person in memory adds a function here. */
export const whenForgotten = new Set<() => void>();

/** True for a key of the storage that belongs to the device and not to a person. */
function belongsToDevice(key: string): boolean {
  return !key.startsWith('portage.') || key === 'portage.lang' || key.startsWith('portage.notice.');
}

/** First keys of the queries whose answers are the same for everybody. */
const sameForEverybody = new Set<unknown>(['/config', '/furniture', '/rates/active']);

/** Drops what was read about the person; the draft stays. */
export function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: (query) => query.meta?.['personal'] === true });
}

/** Leaves nothing of the person behind on this device: draft, door codes, bookings, tries to pay, and what was read. */
export function forgetPerson(): void {
  for (const forget of whenForgotten) forget();
  queryClient.removeQueries({ predicate: (query) => !sameForEverybody.has(query.queryKey[0]) });
  for (const storage of ['localStorage', 'sessionStorage'] as const) {
    try {
      for (const key of Object.keys(window[storage])) if (!belongsToDevice(key)) window[storage].removeItem(key);
    } catch {
      // switched off: nothing was kept either
    }
  }
}
