/** What a script in the page may be given and may answer. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/** An element of the page, acted upon as a person would: the browser makes the events. */
export interface Thing {
  click(): Promise<void>;
  type(text: string): Promise<void>;
  /** What `script` answers of it in the page. */
  ask<R>(script: (one: Element) => R): Promise<R>;
}

/** A window of a browser. Both drivers answer this little, so the walk is written once. */
export interface Tab {
  open(url: string): Promise<void>;
  /** The first element that `script` finds, brought into view; null while there is none. Runs in the page. */
  find<A extends Plain[]>(script: (...args: A) => Element | null, ...args: A): Promise<Thing | null>;
  /** What `script` answers in the page. */
  ask<A extends Plain[], R>(script: (...args: A) => R, ...args: A): Promise<R>;
  /** The window as a picture, PNG. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Enough height that nothing is covered by what sticks to the edges. */
export const windowSize = { width: 1280, height: 960 };

/** A move is in a city's time; a machine's own zone should not matter to a test. */
export const surroundings = { ...process.env, TZ: 'America/Toronto', LANG: 'en_CA.UTF-8' };
