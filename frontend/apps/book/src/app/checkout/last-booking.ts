/** The booking made last on this device: what the confirmation shows after a reload, and what Back after paying leads to. */
export interface LastBooking {
  id: string;
  shortId: string;
}

const key = 'portage.lastBooking';

function isLastBooking(value: unknown): value is LastBooking {
  if (typeof value !== 'object' || value === null) return false;
  const { id, shortId } = value as Partial<LastBooking>;
  return typeof id === 'string' && typeof shortId === 'string';
}

export const lastBooking = {
  remember(booking: LastBooking): void {
    try {
      sessionStorage.setItem(key, JSON.stringify({ id: booking.id, shortId: booking.shortId }));
    } catch {
      // the confirmation then takes the id from its address
    }
  },
  read(): LastBooking | null {
    try {
      const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
      return isLastBooking(value) ? value : null;
    } catch {
      return null;
    }
  },
};
