import type { DeskBooking } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { formatWallTime, useLanguage, zoneName, zoneShortName } from '@portage/i18n';

/** The hour of a move by the clock at its pickup. Where that is not Montreal's, the zone stands with it: lists are sorted by the instant. */
export function StartClock({ booking }: { booking: Pick<DeskBooking, 'time' | 'zone' | 'startsAt'> }) {
  const language = useLanguage();
  const { time, zone, startsAt } = booking;
  const clock = formatWallTime(time, language);
  if (zone === montrealZone) return <span>{clock}</span>;
  return (
    <span>
      {clock} <abbr title={zoneName(zone, language) ?? zone}>{zoneShortName(startsAt, zone, language)}</abbr>
    </span>
  );
}
