import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

const storageKey = 'portage.desk.singleKeys';
const listeners = new Set<() => void>();
/** Kept here as well: storage may be switched off. */
let off = readOff();

function readOff(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'off';
  } catch {
    return false;
  }
}

/** Whether single letters do something. People who dictate switch them off. */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => !off,
  );
  return [on, setSingleKeys];
}

function setSingleKeys(on: boolean): void {
  off = !on;
  try {
    if (on) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'off');
  } catch {
    // the choice then lasts for the visit
  }
  for (const listener of listeners) listener();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]') !== null
  );
}

/** The first letter of a pair such as `g b`, and when it was pressed. */
let begun: { key: string; at: number } | null = null;
/** So long a pair may take. */
const pairMs = 1200;

interface Options {
  /**
   * Where the keys count: the page while no dialog is open, or the dialog that shows this record. Without it they count
   * on the page only.
   */
  within?: () => HTMLElement | null;
}

/** Whether a key pressed at `target` is for the part of the page that `within` names. */
function isOurs(target: EventTarget | null, within: Options['within']): boolean {
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]');
  if (dialogs.length === 0) return true;
  const part = within?.();
  const own = part?.closest('[role="dialog"]') ?? null;
  if (!own || dialogs.length > 1) return false;
  return target === document.body || (target instanceof Element && own.contains(target));
}

/** Calls the function of a key, `e`, or of two after each other, `g b`. Never while something is typed. */
export function useKeys(keys: Record<string, () => void>, { within }: Options = {}): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (off || event.defaultPrevented || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!isOurs(event.target, within)) return;
    const pair = begun && performance.now() - begun.at < pairMs ? `${begun.key} ${event.key}` : null;
    const name = pair && keys[pair] ? pair : event.key;
    const run = keys[name];
    if (run && (pair === null || name === pair)) {
      begun = null;
      event.preventDefault();
      run();
      return;
    }
    if (Object.keys(keys).some((one) => one.startsWith(`${event.key} `)))
      begun = { key: event.key, at: performance.now() };
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
