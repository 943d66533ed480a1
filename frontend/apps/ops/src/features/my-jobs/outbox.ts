import { asProblem, newIdempotencyKey, serverClockOffset, serverNow } from '@portage/api';
import { queryClient } from '@portage/frame';
import { useEffect, useSyncExternalStore } from 'react';

import { dropPressed, forgetKeptForTest, isAnyUnkept, keepPressed, keptPresses } from './keep.ts';
import type { Act, Pressed, Said } from './pressed.ts';
import { jobsKey, tell } from './queries.ts';

/**
 * What a mate pressed, in order, until the server knows it. Without signal it waits in the browser (`keep.ts`), for whoever
 * pressed it, and is sent later with the instant of the press. Signing out does not remove it: there is no other copy.
 */
let presses: readonly Pressed[] = [];
const listeners = new Set<() => void>();
function set(next: readonly Pressed[]): void {
  presses = next;
  for (const listener of listeners) listener();
}

const onJob = (one: Pressed, job: string, act: Act, who: string) =>
  one.kind === 'act' && one.act === act && one.job === job && one.who === who && one.refused === null;

let sending = false;
/** Pressed while another one was on its way. */
let again = false;

/** Sends what waits, the oldest first, until one cannot be sent. Of several tabs one sends. */
export async function sendPressed(who: string): Promise<void> {
  if (sending) {
    again = true;
    return;
  }
  sending = true;
  try {
    const all = () => sendAll(who);
    // older browsers have no locks; what two tabs send twice, the server takes once
    if ('locks' in navigator) await navigator.locks.request('portage.pressed', all);
    else await all();
  } finally {
    sending = false;
  }
  if (again) {
    again = false;
    await sendPressed(who);
  }
}

/**
 * A press that lies ahead of the server's clock, as the refusal itself told that: what was known of that clock at the press was
 * old. Its instant by the device's clock and what is known now; null where that is no other one, or would lie ahead as well.
 */
function withInstantOfNow(one: Pressed): Pressed | null {
  const offset = serverClockOffset();
  if (one.device === undefined || offset === null) return null;
  const at = Math.min(one.device + offset, serverNow());
  return Date.parse(one.at) - at > 60_000 ? { ...one, at: new Date(at).toISOString() } : null;
}

async function sendAll(who: string): Promise<void> {
  for (;;) {
    set(await keptPresses());
    const next = presses.find((one) => one.who === who && one.refused === null);
    if (!next) return;
    try {
      await tell(next);
    } catch (error) {
      const problem = asProblem(error);
      // no signal, or a server that is busy: it stays, and so does what was pressed after it
      if (problem.transient || problem.status === 401) return;
      const earlier = problem.fieldErrors.some(({ field }) => field === 'at') ? withInstantOfNow(next) : null;
      if (earlier) {
        await keepPressed(earlier);
        continue;
      }
      const words = problem.fieldErrors[0]?.message ?? '';
      const refused: Pressed = { ...next, refused: words || problem.detail };
      // a job of somebody else is not shown to them: it was theirs when they pressed
      if (problem.status === 404) refused.notTheirs = true;
      await keepPressed(refused.kind === 'photo' ? { ...refused, file: null } : refused);
      await queryClient.invalidateQueries({ queryKey: jobsKey });
      continue;
    }
    await dropPressed(next.key);
    set(presses.filter((one) => one.key !== next.key));
    await queryClient.invalidateQueries({ queryKey: jobsKey });
  }
}

/** Takes a press in, and sends it when there is signal. The same act is pressed once. */
export async function press(job: { id: string; shortId: string }, said: Said, who: string): Promise<void> {
  if (said.kind === 'act' && presses.some((one) => onJob(one, job.id, said.act, who))) return;
  const last = presses.at(-1)?.n ?? 0;
  const one: Pressed = {
    ...said,
    key: newIdempotencyKey(),
    n: Math.max(Date.now(), last + 1),
    job: job.id,
    number: job.shortId,
    at: new Date(serverNow()).toISOString(),
    device: Date.now(),
    who,
    refused: null,
  };
  set([...presses, one]);
  await keepPressed(one);
  // whether it is kept is known now
  set([...presses]);
  await sendPressed(who);
}

/** What was refused was read. */
export async function forgetRefused(who: string): Promise<void> {
  const read = presses.filter((one) => one.who === who && one.refused !== null);
  set(presses.filter((one) => !read.includes(one)));
  await Promise.all(read.map(({ key }) => dropPressed(key)));
}

/** Sends what waits for as long as a page that says so is open: at once, when there is signal again, and every now and then. */
export function useSending(who: string): void {
  useEffect(() => {
    if (who === '') return undefined;
    const send = () => void sendPressed(who);
    send();
    addEventListener('online', send);
    const every = setInterval(send, 20_000);
    return () => {
      removeEventListener('online', send);
      clearInterval(every);
    };
  }, [who]);
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => {
    listeners.delete(changed);
  };
}

/** What waits to be sent, and what was not taken. */
export function usePressed(who: string): {
  waiting: readonly Pressed[];
  refused: readonly Pressed[];
  /** The browser keeps nothing: what waits lasts as long as the page. */
  unkept: boolean;
} {
  const own = useSyncExternalStore(subscribe, () => presses).filter((one) => one.who === who);
  return {
    waiting: own.filter((one) => one.refused === null),
    refused: own.filter((one) => one.refused !== null),
    unkept: isAnyUnkept(),
  };
}

/** For tests: what another one left. */
export async function forgetPressedForTest(): Promise<void> {
  set([]);
  await forgetKeptForTest();
}
