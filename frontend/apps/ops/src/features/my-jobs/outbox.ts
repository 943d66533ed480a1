import { asProblem, serverNow } from '@portage/api';
import { queryClient } from '@portage/frame';
import { useEffect, useSyncExternalStore } from 'react';

import { type Act, acts, jobsKey, tell } from './queries.ts';

/**
 * What a mate pressed, in order, until the server knows it. Without signal it waits in the browser, for whoever pressed it,
 * and is sent later with the instant of the press.
 */
export interface Pressed {
  job: string;
  /** The number people say, for what is told of it. */
  number: string;
  act: Act;
  at: string;
  /** Whose press it is: another person who signs in here does not send it. */
  who: string;
}

/** A press that the server did not take, and why. */
export interface Refused extends Pressed {
  detail: string;
}

const place = 'portage.pressed';
const isPressed = (one: unknown): one is Pressed =>
  typeof one === 'object' &&
  one !== null &&
  ['job', 'number', 'at', 'who'].every((key) => typeof (one as Record<string, unknown>)[key] === 'string') &&
  acts.some((act) => act === (one as Pressed).act);

function read(): Pressed[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isPressed) : [];
  } catch {
    return [];
  }
}

interface State {
  waiting: readonly Pressed[];
  refused: readonly Refused[];
}
let state: State = { waiting: read(), refused: [] };
const listeners = new Set<() => void>();
function set(next: State): void {
  state = next;
  localStorage.setItem(place, JSON.stringify(next.waiting));
  for (const listener of listeners) listener();
}

let sending = false;
/** Sends what waits, the oldest first, until one cannot be sent. */
export async function sendPressed(who: string): Promise<void> {
  if (sending) return;
  sending = true;
  try {
    for (;;) {
      const next = state.waiting.find((one) => one.who === who);
      if (!next) return;
      try {
        await tell(next.job, next.act, next.at);
      } catch (error) {
        const problem = asProblem(error);
        // no signal, or a server that is busy: it stays, and so does what was pressed after it
        if (problem.transient || problem.status === 401) return;
        set({ ...state, refused: [...state.refused, { ...next, detail: problem.detail }] });
      }
      set({ ...state, waiting: state.waiting.filter((one) => one !== next) });
      await queryClient.invalidateQueries({ queryKey: jobsKey });
    }
  } finally {
    sending = false;
  }
}

export function press(job: { id: string; shortId: string }, act: Act, who: string): void {
  const at = new Date(serverNow()).toISOString();
  if (state.waiting.some((one) => one.job === job.id && one.act === act && one.who === who)) return;
  set({ ...state, waiting: [...state.waiting, { job: job.id, number: job.shortId, act, at, who }] });
  void sendPressed(who);
}

/** What was refused was read. */
export function forgetRefused(): void {
  set({ ...state, refused: [] });
}

/** What waits to be sent, and what was not taken. While it is used, it is tried again when there is signal. */
export function usePressed(who: string): State {
  const shown = useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => {
        listeners.delete(changed);
      };
    },
    () => state,
  );
  useEffect(() => {
    const again = () => void sendPressed(who);
    again();
    addEventListener('online', again);
    const every = setInterval(again, 20_000);
    return () => {
      removeEventListener('online', again);
      clearInterval(every);
    };
  }, [who]);
  return shown;
}

/** For tests: what another one left. */
export function forgetPressedForTest(): void {
  set({ waiting: [], refused: [] });
}
