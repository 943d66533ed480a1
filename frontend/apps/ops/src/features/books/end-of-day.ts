import { montrealZone } from '@portage/domain';
import { dayIn } from '@portage/i18n';

/** The last instant of a day on the company's calendar, found without a table of its clock changes. */
export function endOf(day: string): string {
  // the next day begins there four or five hours after it does in UTC
  const next = Date.parse(`${day}T00:00:00Z`) + 86_400_000;
  const starts = [4, 5].map((hours) => new Date(next + hours * 3_600_000));
  const start = starts.find((instant) => dayIn(montrealZone, instant) !== day) ?? new Date(next);
  return new Date(start.getTime() - 1).toISOString();
}
