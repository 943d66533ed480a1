const parts = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = parts.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA-u-ca-gregory-nu-latn', {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
      timeZone: zone,
    });
    parts.set(zone, format);
  }
  return format;
}

/** The wall clock of `zone` at an instant, as if it were UTC: milliseconds, whole minutes. */
function wallOf(zone: string, instant: number): number {
  const found = formatOf(zone).formatToParts(new Date(instant));
  const number = (type: string) => Number(found.find((part) => part.type === type)?.value);
  // some engines call midnight 24
  return Date.UTC(number('year'), number('month') - 1, number('day'), number('hour') % 24, number('minute'));
}

const halfDay = 43_200_000;

/**
 * The instant of a day and time on the clocks of `zone`; null when no clock shows it. Of an hour that comes twice it is
 * the first.
 */
export function instantIn(zone: string, day: string, time: string): string | null {
  const wall = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wall)) return null;
  const found = [wall - halfDay, wall + halfDay]
    .map((near) => wall - (wallOf(zone, near) - near))
    .filter((instant) => wallOf(zone, instant) === wall);
  return found.length === 0 ? null : new Date(Math.min(...found)).toISOString();
}

/** Day and time on the clocks of `zone`, as fields for them take it. */
export function wallIn(zone: string, instant: string): { day: string; time: string } {
  const text = new Date(wallOf(zone, Date.parse(instant))).toISOString();
  return { day: text.slice(0, 10), time: text.slice(11, 16) };
}
