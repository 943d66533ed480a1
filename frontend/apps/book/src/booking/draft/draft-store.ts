import { useSyncExternalStore } from 'react';

import { whenForgotten } from '../../shell/forget.ts';
import { type Draft, emptyDraft } from './draft.ts';

/** Raised when the stored shape changes; older drafts are carried over field by field, unknown fields are dropped. */
const version = 1;
const storageKey = 'portage.draft';
/** The person's own draft while a booking is edited in its place. */
const asideKey = 'portage.draft.aside';

interface Stored {
  version: number;
  revision: number;
  draft: Draft;
}

type Listener = (origin: 'here' | 'elsewhere') => void;

const calendarDay = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Fields whose nonsense would break the pages that write it for people. */
const shapes: Partial<Record<keyof Draft, (value: unknown) => boolean>> = {
  date: (value) => typeof value === 'string' && calendarDay.test(value),
  time: (value) => typeof value === 'string' && /^\d{2}:\d{2}$/.test(value),
  startsAt: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  hold: (value) => typeof (value as Draft['hold'])?.endsAt === 'number',
  lostSlot: (value) => shapes.date?.((value as Draft['lostSlot'])?.date) ?? false,
};

function fits(key: keyof Draft, value: unknown, sample: unknown): boolean {
  if (value !== null && shapes[key]?.(value) === false) return false;
  // other fields that start as null have no sample to compare with; their readers check them
  if (sample === null) return true;
  return typeof value === typeof sample && Array.isArray(value) === Array.isArray(sample) && value !== null;
}

/** Takes over what fits; a damaged or foreign value costs its own field, not the whole draft. */
export function revive(raw: string | null): { draft: Draft; revision: number } | null {
  if (!raw) return null;
  try {
    const stored = JSON.parse(raw) as Partial<Stored>;
    if (typeof stored.draft !== 'object' || stored.draft === null) return null;
    const fresh = emptyDraft();
    const known = Object.entries(stored.draft).filter(
      ([key, value]) => key in fresh && fits(key as keyof Draft, value, fresh[key as keyof Draft]),
    );
    return { draft: { ...fresh, ...Object.fromEntries(known) }, revision: Number(stored.revision) || 0 };
  } catch {
    return null;
  }
}

function read(): ReturnType<typeof revive> {
  try {
    return revive(localStorage.getItem(storageKey));
  } catch {
    return null;
  }
}

class DraftStore {
  #draft: Draft;
  #revision: number;
  #aside: string | null = null;
  #generation = 0;
  readonly #listeners = new Set<Listener>();

  constructor() {
    const stored = read();
    this.#draft = stored?.draft ?? emptyDraft();
    this.#revision = stored?.revision ?? 0;
    // another tab wrote: take its draft over, so that both always continue from the same one
    addEventListener('storage', (event) => {
      if (event.key !== storageKey && event.key !== null) return;
      const next = revive(event.key === null ? null : event.newValue);
      if (!next || next.draft.editing !== this.#draft.editing) this.#generation += 1;
      this.#draft = next?.draft ?? emptyDraft();
      this.#revision = next?.revision ?? 0;
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
  reset = (keep: Partial<Draft> = {}): void => {
    this.#draft = { ...emptyDraft(), ...keep };
    this.#generation += 1;
    this.#revision += 1;
    if (Object.keys(keep).length === 0) {
      try {
        localStorage.removeItem(storageKey);
      } catch {
        // nothing was stored either
      }
    } else this.#write();
    this.#tell('here');
  };

  /** Forgets everything, also the draft that waits aside. */
  forget = (): void => {
    this.#aside = null;
    try {
      localStorage.removeItem(asideKey);
    } catch {
      // nothing was stored either
    }
    this.reset();
  };

  /** Puts a booking in the place of the draft, which waits aside until `endEdit`; another booking after that replaces only the first. */
  edit = (booking: Partial<Draft>): void => {
    if (this.#draft.editing === null) {
      this.#aside = JSON.stringify({ version, revision: this.#revision, draft: this.#draft } satisfies Stored);
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
    let raw = this.#aside;
    try {
      raw = localStorage.getItem(asideKey) ?? raw;
      localStorage.removeItem(asideKey);
    } catch {
      // what the page remembers is all there is
    }
    this.#aside = null;
    this.reset(revive(raw)?.draft);
  };

  subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #write(): void {
    try {
      localStorage.setItem(
        storageKey,
        JSON.stringify({ version, revision: this.#revision, draft: this.#draft } satisfies Stored),
      );
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
