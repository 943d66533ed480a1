/**
 * The server's clock, read off the `Date` of its answers: a device may be an hour wrong, and what the server promises for
 * some minutes must not end or go on by that.
 */
let offset: number | null = null;

/** Takes the time of an answer over. It has whole seconds, so half of one is what is missing on average. */
export function noteServerTime(response: Response): void {
  const said = Date.parse(response.headers.get('Date') ?? '');
  if (!Number.isNaN(said)) offset = said + 500 - Date.now();
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
}
