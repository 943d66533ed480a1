import { acts, type Pressed } from './pressed.ts';

const database = 'portage.crew';
const store = 'pressed';
/** Where presses lay before they could be photos: moved once. */
const formerPlace = 'portage.pressed';

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the browser keeps nothing')));
  });
}

/** A browser may have been told to keep nothing. */
const mayKeep = () => typeof indexedDB !== 'undefined';

let opened: Promise<IDBDatabase> | null = null;
function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(store, { keyPath: 'key' });
    });
    done(request).then(resolve, reject);
  }).catch((error: unknown) => {
    // the next press tries again
    opened = null;
    throw error;
  });
  return opened;
}

async function inStore<T>(mode: IDBTransactionMode, ask: (all: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction(store, mode);
  const answer = await done(ask(transaction.objectStore(store)));
  if (mode === 'readonly') return answer;
  // on the disk, not only asked for
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the browser has no room')));
  });
  return answer;
}

/** Presses that the browser does not keep, because it cannot or has no room: they last as long as the page. */
const unkept = new Map<string, Pressed>();
/** Read out of the store while what was sent of it is being removed. */
const removed = new Set<string>();

function former(): Pressed[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(formerPlace) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.flatMap((one: unknown, n): Pressed[] => {
      const said = one as Record<'job' | 'number' | 'at' | 'who', string> & { act: (typeof acts)[number] };
      const whole = ['job', 'number', 'at', 'who'].every((name) => typeof said[name as 'job'] === 'string');
      if (!whole || !acts.includes(said.act)) return [];
      const { job, number, at, who, act } = said;
      return [{ kind: 'act', act, key: `${job} ${act} ${at}`, n, job, number, at, who, refused: null }];
    });
  } catch {
    return [];
  }
}

/** Takes a press in, or what became of it; true when it will be there after the page is closed. */
export async function keepPressed(one: Pressed): Promise<boolean> {
  unkept.set(one.key, one);
  if (!mayKeep()) return false;
  try {
    await inStore('readwrite', (all) => all.put(one));
    unkept.delete(one.key);
    return true;
  } catch (error) {
    console.debug('the browser does not keep what was pressed', error);
    return false;
  }
}

export async function dropPressed(key: string): Promise<void> {
  unkept.delete(key);
  removed.add(key);
  if (!mayKeep()) return;
  try {
    await inStore('readwrite', (all) => all.delete(key));
  } catch (error) {
    console.debug('what was sent is kept still, and the server takes it once', error);
  }
}

/** All that is kept, in the order of the presses. */
export async function keptPresses(): Promise<Pressed[]> {
  let kept: Pressed[] = [];
  try {
    const old = former();
    // removed only when they are in the new place
    const moved = await Promise.all(old.map(keepPressed));
    if (old.length > 0 && moved.every(Boolean)) localStorage.removeItem(formerPlace);
    if (mayKeep()) kept = await inStore<Pressed[]>('readonly', (all) => all.getAll());
  } catch (error) {
    console.debug('the browser keeps no presses', error);
  }
  const all = new Map([...kept, ...unkept.values()].map((one) => [one.key, one]));
  return [...all.values()].filter(({ key }) => !removed.has(key)).sort((a, b) => a.n - b.n);
}

/** Something would be lost with the page. */
export const isAnyUnkept = (): boolean => unkept.size > 0;

/** For tests: what another one left. */
export async function forgetKeptForTest(): Promise<void> {
  unkept.clear();
  removed.clear();
  if (mayKeep()) await inStore('readwrite', (all) => all.clear());
}
