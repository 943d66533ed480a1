import { queryClient } from '@portage/frame';

/** Called when a person signs out. A module that keeps something of the person in memory adds a function here. */
export const whenForgotten = new Set<() => void>();

/** Of the device and not of a person: its language, that it has the typeface, that a sign-out here is not finished. */
const ofDevice = ['portage.lang', 'portage.typeface', 'portage.session.left'];

/**
 * Something sent whose answer never came, kept for the account that sent it: another account on this device neither reads
 * nor sends it, and does not take it from its owner by signing out.
 */
export function keyOf(kind: 'attempt' | 'editAttempt', account: string | null): string {
  return `portage.${kind}.${account ?? ''}`;
}

/** True for a key of the storage that belongs to the device or to another account. */
function staysFor(key: string, account: string | null): boolean {
  const owner = /^portage\.(?:attempt|editAttempt)\.(.+)$/.exec(key)?.[1];
  if (owner !== undefined) return owner !== account;
  return !key.startsWith('portage.') || ofDevice.includes(key) || key.startsWith('portage.notice.');
}

/** First keys of the queries whose answers are the same for everybody. */
const sameForEverybody = new Set<unknown>(['/config', '/furniture', '/rates/active']);

/** Drops what was read about the person; the draft stays. */
export function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: (query) => query.meta?.['personal'] === true });
}

/** Leaves nothing of the person behind on this device: draft, door codes, bookings, tries to pay, and what was read. */
export function forgetPerson(account: string | null): void {
  for (const forget of whenForgotten) forget();
  queryClient.removeQueries({ predicate: (query) => !sameForEverybody.has(query.queryKey[0]) });
  for (const storage of ['localStorage', 'sessionStorage'] as const) {
    try {
      for (const key of Object.keys(window[storage])) if (!staysFor(key, account)) window[storage].removeItem(key);
    } catch {
      // switched off: nothing was kept either
    }
  }
}
