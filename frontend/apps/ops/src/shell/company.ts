import { serverNow } from '@portage/api';
import { montrealDay } from '@portage/domain';

/** Today on Montreal's calendar, by the server's clock. */
export function deskToday(): string {
  return montrealDay(new Date(serverNow()).toISOString());
}
