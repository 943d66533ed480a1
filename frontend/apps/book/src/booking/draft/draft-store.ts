import { useSyncExternalStore } from 'react';

import { whenForgotten } from '../../shell/forget.ts';
import { accountHere } from '../../shell/owner.ts';
import { session } from '../../shell/session.ts';
import { type Draft, emptyDraft } from './draft.ts';
import { revive, stored } from './stored-draft.ts';

/** Where the draft is kept in local storage. */
export const storageKey = 'portage.draft.2';
/** The person's own draft while a booking is edited in its place. */
const asideKey = 'portage.draft.2.aside';

/**
 * Where the version before kept them. A tab that still runs it goes on with its own: it could not read ours, and would
 * write over what it does not know.
 */
const formerKeys = { [storageKey]: 'portage.draft', [asideKey]: 'portage.draft.aside' };

type Listener = (origin: 'here' | 'elsewhere') => void;

function read(key: keyof typeof formerKeys): string | null {
  try {
    return localStorage.getItem(key) ?? localStorage.getItem(formerKeys[key] ?? '');
  } catch {
    return null;
  }
}

function forgetAt(key: keyof typeof formerKeys): void {
  try {
    localStorage.removeItem(key);
    localStorage.removeItem(formerKeys[key] ?? '');
  } catch {
    // nothing was stored either
  }
}

class DraftStore {
  #draft: Draft;
  #revision: number;
  /** The account the draft belongs to: what a guest began is theirs who sign in first. */
  #owner: string | null;
  #aside: string | null = null;
  #generation = 0;
  readonly #listeners = new Set<Listener>();

  constructor() {
    const found = revive(read(storageKey));
    this.#draft = found?.draft ?? emptyDraft();
    this.#revision = found?.revision ?? 0;
    this.#owner = found?.owner ?? null;
    session.subscribe(this.#claim);
    // another tab wrote: take its draft over, so that both always continue from the same one
    addEventListener('storage', (event) => {
      if (event.key !== storageKey && event.key !== null) return;
      const next = revive(event.key === null ? null : event.newValue);
      // a tab where another account is still signed in goes on with its own
      const account = accountHere();
      if (next && account !== null && next.owner !== null && next.owner !== account) return;
      if (!next || next.draft.editing !== this.#draft.editing) this.#generation += 1;
      this.#draft = next?.draft ?? emptyDraft();
      this.#revision = next?.revision ?? 0;
      this.#owner = next ? next.owner : account;
      this.#tell('elsewhere');
    });
  }

  get = (): Draft => this.#draft;

  /** Counts up whenever another move takes the draft's place, so that nothing said about the former one is taken for it. */
  get generation(): number {
    return this.#generation;
  }

  patch = (change: Partial<Draft>): void => {
    const current = this.#draft;
    const keys = Object.keys(change) as (keyof Draft)[];
    if (keys.every((key) => Object.is(current[key], change[key]))) return;
    this.#draft = { ...current, ...change };
    this.#revision += 1;
    this.#write();
    this.#tell('here');
  };

  /** Forgets everything; `keep` starts the next draft with something. */
  reset = (keep: Partial<Draft> = {}): void => this.#begin(keep, accountHere());

  #begin(keep: Partial<Draft>, owner: string | null): void {
    this.#owner = owner;
    this.#draft = { ...emptyDraft(), ...keep };
    this.#generation += 1;
    this.#revision += 1;
    if (Object.keys(keep).length === 0) forgetAt(storageKey);
    else this.#write();
    this.#tell('here');
  }

  /** Forgets everything, also the draft that waits aside. */
  forget = (): void => {
    this.#aside = null;
    forgetAt(asideKey);
    this.reset();
  };

  /** Puts a booking in the place of the draft, which waits aside until `endEdit`; another booking after that replaces only the first. */
  edit = (booking: Partial<Draft>): void => {
    if (this.#draft.editing === null) {
      this.#aside = stored(this.#draft, this.#revision, this.#owner);
      try {
        localStorage.setItem(asideKey, this.#aside);
      } catch {
        // it then waits as long as the page lasts, as the draft itself does
      }
    }
    this.reset(booking);
  };

  /** Forgets the edited booking and goes on with the draft that waited. */
  endEdit = (): void => {
    // what the page remembers is all there is where nothing can be stored
    const raw = read(asideKey) ?? this.#aside;
    forgetAt(asideKey);
    this.#aside = null;
    const account = accountHere();
    const waited = revive(raw);
    const theirs = account === null || (waited?.owner ?? account) === account;
    this.#begin((theirs && waited?.draft) || {}, waited?.owner ?? account);
  };

  subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Somebody signed in: the draft becomes theirs, or is forgotten where it is another account's, with its door codes. */
  #claim = (): void => {
    const account = accountHere();
    if (account === null || account === this.#owner) return;
    if (this.#owner !== null) {
      this.forget();
      return;
    }
    this.#owner = account;
    if (read(storageKey) !== null) this.#write();
  };

  #write(): void {
    try {
      localStorage.setItem(storageKey, stored(this.#draft, this.#revision, this.#owner));
    } catch {
      // full or switched off: the draft then lasts as long as the page
    }
  }

  #tell(origin: 'here' | 'elsewhere'): void {
    for (const listener of this.#listeners) {
      try {
        listener(origin);
      } catch (error) {
        // one page that cannot follow must not keep the others, or the caller, from going on
        console.error(error);
      }
    }
  }
}

export const draftStore = new DraftStore();
// nothing of the move stays behind for the next person at this computer
whenForgotten.add(draftStore.forget);

/** The whole draft; re-renders on every change. Pick with `useDraftValue` where that matters. */
export function useDraft(): Draft {
  return useSyncExternalStore(draftStore.subscribe, draftStore.get);
}

/** One derived value; `pick` must answer a primitive or a stable reference. */
export function useDraftValue<T>(pick: (draft: Draft) => T): T {
  return useSyncExternalStore(draftStore.subscribe, () => pick(draftStore.get()));
}
