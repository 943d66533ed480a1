/** The booking whose change was saved last: its page says so once, whoever saved it and wherever the page stood. */
let saved: string | null = null;

export const editSaved = {
  remember(booking: string): void {
    saved = booking;
  },
  is(booking: string): boolean {
    return saved === booking;
  },
  /** It was said. */
  forget(): void {
    saved = null;
  },
};
