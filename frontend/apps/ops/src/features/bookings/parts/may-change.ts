import type { DeskBooking } from '@portage/api';

/** Whether the server takes a change: of what is done, only its notes, which have a field of their own; of what ended, nothing. */
export function mayChange({ status }: Pick<DeskBooking, 'status'>): boolean {
  return status === 'pending' || status === 'assigned';
}
