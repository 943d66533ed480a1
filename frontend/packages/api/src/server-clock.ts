/**
 * The server's clock, read off its answers: a device may be an hour wrong, and what the server promises for some minutes must
 * not end or go on by that.
 */
let offset: number | null = null;
/** The server has told its own clock. */
let own = false;

/** What time it was to whoever answered, epoch milliseconds; null where the answer does not say, or may not be asked. */
export function timeOfAnswer(response: Response): number | null {
  const told = Date.parse(response.headers.get('Portage-Clock') ?? '');
  if (!Number.isNaN(told)) return told;
  const said = Date.parse(response.headers.get('Date') ?? '');
  return Number.isNaN(said) ? null : said + 500;
}

/**
 * Takes the time of an answer over. `Portage-Clock` is what time it is to the program: a demonstration may keep a clock of its
 * own, days ahead. Elsewhere it is the `Date`, which has whole seconds, so half of one is what is missing on average. An answer
 * of somebody else, as of another identity provider, does not count once the program has told its own.
 */
export function noteServerTime(response: Response): void {
  const time = timeOfAnswer(response);
  const told = !Number.isNaN(Date.parse(response.headers.get('Portage-Clock') ?? ''));
  if (time === null || (own && !told)) return;
  own ||= told;
  offset = time - Date.now();
}

/** Milliseconds to add to this device's clock; null before the first answer. */
export function serverClockOffset(): number | null {
  return offset;
}

/** Epoch milliseconds by the server's clock, by the device's own as long as no answer has come. */
export function serverNow(): number {
  return Date.now() + (offset ?? 0);
}

/** Test seam. */
export function forgetServerClock(): void {
  offset = null;
  own = false;
}
