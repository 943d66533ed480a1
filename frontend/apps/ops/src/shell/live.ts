import { api, asProblem, unwrap } from '@portage/api';
import { useEffect, useEffectEvent, useState } from 'react';

import { queryClient } from '@portage/frame';

/** What somebody changed: a kind and an id, never data. */
export interface Change {
  kind: string;
  id: string;
}

const listeners = new Set<(change: Change) => void>();
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/** Reads the events out of a stream of server-sent events, and what is left of an unfinished one. */
export function readEvents(text: string): { changes: Change[]; rest: string } {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  const changes = blocks.flatMap((block): Change[] => {
    const data = block
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
      .join('\n');
    try {
      const value = JSON.parse(data) as Partial<Change>;
      return typeof value.kind === 'string' && typeof value.id === 'string' ? [{ kind: value.kind, id: value.id }] : [];
    } catch {
      return []; // a comment that keeps the line open, or a shape of a later version
    }
  });
  return { changes, rest };
}

async function listen(signal: AbortSignal, opened: () => void): Promise<void> {
  const stream = await unwrap(api.GET('/events', { parseAs: 'stream', signal }));
  if (!stream) return;
  opened();
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const read = readEvents(rest + value);
    ({ rest } = read);
    for (const change of read.changes) for (const listener of listeners) listener(change);
  }
}

/** Keeps the line to the server open for as long as the desk is on screen. Answers whether it is down. */
export function useLiveLine(): boolean {
  const [down, setDown] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const run = async () => {
      let pause = firstPauseMs;
      let before = false;
      while (!ended.signal.aborted) {
        try {
          await listen(ended.signal, () => {
            pause = firstPauseMs;
            setDown(false);
            // what happened while the line was down was not told
            if (before) void queryClient.invalidateQueries({ queryKey: ['desk'] });
            before = true;
          });
        } catch (error) {
          if (ended.signal.aborted) return;
          const { status } = asProblem(error);
          // refused for good: asking again would not change it
          if (status === 401 || status === 403 || status === 404) return;
          setDown(true);
        }
        await new Promise((later) => {
          setTimeout(later, pause);
        });
        pause = Math.min(pause * 2, longestPauseMs);
      }
    };
    void run();
    return () => ended.abort();
  }, []);
  return down;
}

/** Calls `onChange` for what others, or other tabs, have changed. */
export function useChanges(onChange: (change: Change) => void): void {
  const told = useEffectEvent(onChange);
  useEffect(() => {
    const listener = (change: Change) => told(change);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}
