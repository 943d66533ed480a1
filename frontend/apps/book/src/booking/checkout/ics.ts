/** What a calendar file needs to know of a move. */
export interface CalendarMove {
  id: string;
  /** RFC 3339. */
  startsAt: string;
  minutes: number;
  createdAt: string;
  summary: string;
  location: string;
  description: string;
  /** The page of the booking. */
  url: string;
}

/** `20270217T140000Z`: RFC 5545 in UTC, which every calendar turns into its own zone. */
function utc(instant: number): string {
  return new Date(instant).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(/\r?\n/g, '\\n').replaceAll(',', '\\,').replaceAll(';', '\\;');
}

/** Lines of at most 75 octets (RFC 5545 3.1), never cut inside a character. */
function fold(line: string): string {
  const encoder = new TextEncoder();
  const parts: string[] = [];
  let part = '';
  for (const character of line) {
    // a continued line begins with a space that counts
    const limit = parts.length === 0 ? 75 : 74;
    if (encoder.encode(part + character).length > limit) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  parts.push(part);
  return parts.join('\r\n ');
}

/** An iCalendar file with the one move. */
export function calendarFile(move: CalendarMove): string {
  const start = Date.parse(move.startsAt);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Portage//Booking//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${move.id}@portage`,
    `DTSTAMP:${utc(Date.parse(move.createdAt))}`,
    `DTSTART:${utc(start)}`,
    `DTEND:${utc(start + move.minutes * 60_000)}`,
    `SUMMARY:${escape(move.summary)}`,
    `LOCATION:${escape(move.location)}`,
    `DESCRIPTION:${escape(move.description)}`,
    `URL:${move.url}`,
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}
