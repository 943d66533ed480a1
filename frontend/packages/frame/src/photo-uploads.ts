import { type ApiProblem, asProblem, newIdempotencyKey, sendFile } from '@portage/api';
import { useEffect, useRef, useState } from 'react';

/** The server's own limit for one photo, bytes. */
export const largestPhoto = 12 * 1024 * 1024;
export const mostPhotos = 20;

export interface Upload {
  key: string;
  file: File;
  state: 'waiting' | 'sending' | 'failed';
  /** 0 to 1. */
  progress: number;
  problem: ApiProblem | 'tooLarge' | 'empty' | null;
}

/**
 * Photos on their way to a booking, one after the other: each is decoded by itself. `onSent` is told the URL of each that
 * arrived.
 */
export function usePhotoUploads(booking: string, onSent: (url: string) => void | Promise<void>) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const stops = useRef(new Map<string, AbortController>());
  const change = (key: string, next: Partial<Upload>) =>
    setUploads((now) => now.map((one) => (one.key === key ? { ...one, ...next } : one)));
  const forget = (key: string) => setUploads((now) => now.filter((one) => one.key !== key));

  const next = uploads.some(({ state }) => state === 'sending')
    ? undefined
    : uploads.find(({ state }) => state === 'waiting');
  useEffect(() => {
    if (!next) return;
    const { key, file } = next;
    const stop = new AbortController();
    stops.current.set(key, stop);
    change(key, { state: 'sending', progress: 0, problem: null });
    void sendFile(`/api/bookings/${booking}/photos`, {
      part: 'photo',
      file,
      idempotencyKey: key,
      onProgress: (progress) => change(key, { progress }),
      signal: stop.signal,
    })
      .then((answer) => onSent((answer as { url: string }).url))
      .then(
        () => forget(key),
        (error: unknown) => {
          // taken away while it was on its way
          if (stop.signal.aborted) forget(key);
          else change(key, { state: 'failed', problem: asProblem(error) });
        },
      )
      .finally(() => stops.current.delete(key));
    // once for each photo, when its turn has come
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [next?.key]);

  // nothing goes on being sent from a page that was left
  useEffect(() => {
    const all = stops.current;
    return () => {
      for (const stop of all.values()) stop.abort();
    };
  }, []);

  return {
    uploads,
    add: (files: readonly File[]) =>
      setUploads((now) => [
        ...now,
        ...files.map((file): Upload => {
          const problem = file.size === 0 ? 'empty' : file.size > largestPhoto ? 'tooLarge' : null;
          return { key: newIdempotencyKey(), file, state: problem ? 'failed' : 'waiting', progress: 0, problem };
        }),
      ]),
    again: (key: string) => change(key, { state: 'waiting' }),
    remove: (key: string) => {
      const stop = stops.current.get(key);
      if (stop) stop.abort();
      else forget(key);
    },
  };
}
