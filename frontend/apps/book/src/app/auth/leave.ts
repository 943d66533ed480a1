import { leaveGuard } from '../leave-guard.ts';

/** Leaves the app for another address, without the question that guards a booking in progress. */
export function leaveFor(url: string): void {
  leaveGuard.suspend();
  location.assign(url);
}
