import { queryClient } from '@portage/frame';

/** What keeps something of a person in memory puts its way to forget it in here. */
export const whenForgotten = new Set<() => void>();

/** What belongs to the device and not to a person. */
function stays(key: string): boolean {
  return !key.startsWith('portage.') || key === 'portage.lang' || key.startsWith('portage.notice.');
}

/** Answers of the server that are the same for everybody. */
const common = new Set<unknown>(['/config', '/furniture', '/rates/active']);

/** Drops what was read about the person; the draft stays. */
export function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: (query) => query.meta?.['personal'] === true });
}

/** Leaves nothing of the person behind on this device: draft, door codes, bookings, tries to pay, and what was read. */
export function forgetPerson(): void {
  for (const forget of whenForgotten) forget();
  queryClient.removeQueries({ predicate: (query) => !common.has(query.queryKey[0]) });
  for (const storage of ['localStorage', 'sessionStorage'] as const) {
    try {
      for (const key of Object.keys(window[storage])) if (!stays(key)) window[storage].removeItem(key);
    } catch {
      // switched off: nothing was kept either
    }
  }
}
