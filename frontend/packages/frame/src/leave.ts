import { leaveGuard } from './leave-guard.ts';

/** Leaves the app for another address, without the question that guards a booking in progress. */
export function leaveFor(url: string): void {
  leaveGuard.suspend();
  const target = new URL(url, location.href);
  // an address that is shown already would otherwise only be scrolled to its anchor
  if (target.href === location.href) location.reload();
  else location.assign(url);
}
