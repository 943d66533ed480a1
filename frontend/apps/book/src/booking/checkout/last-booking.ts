import { accountHere } from '../../shell/owner.ts';

/** The booking made last on this device: what the confirmation shows after a reload, and what Back after paying leads to. */
export interface LastBooking {
  id: string;
  shortId: string;
}

/** Kept per tab: it must not outlive the visit, for the next person at this computer. */
const key = 'portage.lastBooking';
/** Passes through local storage for the other tabs, which share the draft that has just been booked. */
const toldKey = 'portage.booked';

type Owned = LastBooking & { owner: string | null };

function parse(raw: string | null): Owned | null {
  try {
    const value: unknown = JSON.parse(raw ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { id, shortId, owner = null } = value as Partial<Owned>;
    return typeof id === 'string' && typeof shortId === 'string' ? { id, shortId, owner } : null;
  } catch {
    return null;
  }
}

function keep(booking: Owned): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(booking));
  } catch {
    // the confirmation then takes the id from its address
  }
}

// another tab has booked the shared draft: a page here that loses it says which booking it became
addEventListener('storage', (event) => {
  const told = event.key === toldKey ? parse(event.newValue) : null;
  if (told) keep(told);
});

export const lastBooking = {
  /** To be called before the draft is emptied: other tabs hear of the two in this order. */
  remember({ id, shortId }: LastBooking): void {
    const booking = { id, shortId, owner: accountHere() };
    keep(booking);
    try {
      localStorage.setItem(toldKey, JSON.stringify(booking));
      localStorage.removeItem(toldKey);
    } catch {
      // the other tabs then only see that the draft is empty
    }
  },
  /** None while another account than the one that made it is signed in. */
  read(): LastBooking | null {
    const account = accountHere();
    try {
      const booking = parse(sessionStorage.getItem(key));
      return account === null || booking?.owner === account ? booking : null;
    } catch {
      return null;
    }
  },
};
