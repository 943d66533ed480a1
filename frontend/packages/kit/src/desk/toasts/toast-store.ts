export interface ToastAction {
  /** A verb: "Undo". */
  label: string;
  onAct: () => void;
}

interface ToastBase {
  text: string;
  /** Why it went: time ran out, somebody closed it, or used its action. What can be undone is sent when it is `time` or `closed`. */
  onGone?: (reason: ToastEnd) => void;
}

/** Something was done. It goes by itself. */
export interface DoneToast extends ToastBase {
  tone?: 'done' | 'info';
  action?: ToastAction;
  /** How long it stays, in seconds: 6, or 10 with an action. */
  seconds?: number;
}

/**
 * Something went wrong elsewhere than on screen. A toast is never the only place of an error: it has to say where the
 * error stays, and it stays itself until somebody has closed it.
 */
export interface ProblemToast extends ToastBase {
  tone: 'problem';
  /** Leads to where the error is shown. */
  action: ToastAction;
}

export type Toast = DoneToast | ProblemToast;
export type ToastEnd = 'time' | 'closed' | 'acted';
export type LiveToast = Toast & { id: number };

/** So many are shown at once; more wait, and their time does not begin before they are seen. */
export const shownAtOnce = 3;

type Listener = () => void;

/** The toasts of an app, in the order they came. */
export function createToasts() {
  let toasts: readonly LiveToast[] = [];
  let lastId = 0;
  const listeners = new Set<Listener>();
  const set = (next: readonly LiveToast[]) => {
    toasts = next;
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener: Listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    all: () => toasts,
    show: (toast: Toast): number => {
      lastId += 1;
      set([...toasts, { ...toast, id: lastId }]);
      return lastId;
    },
    end: (id: number, reason: ToastEnd) => {
      const toast = toasts.find((one) => one.id === id);
      if (!toast) return;
      set(toasts.filter((one) => one !== toast));
      toast.onGone?.(reason);
    },
  };
}

export type ToastStore = ReturnType<typeof createToasts>;

/** The app's own; tests make theirs. */
export const toasts = createToasts();

/** Tells what was done, with a way back where there is one. */
export function showToast(toast: Toast): number {
  return toasts.show(toast);
}

export function closeToast(id: number): void {
  toasts.end(id, 'closed');
}

/** Seconds a toast stays; null for one that stays until it is closed. */
export function secondsOf(toast: Toast): number | null {
  if (toast.tone === 'problem') return null;
  return toast.seconds ?? (toast.action ? 10 : 6);
}
