import { useEffect, useEffectEvent } from 'react';

/**
 * Does what has failed again, for as long as it has: as soon as the browser is online again, and after pauses that grow
 * from five seconds to a minute.
 */
export function useRetry(failed: boolean, retry: () => unknown): void {
  const again = useEffectEvent(retry);
  useEffect(() => {
    if (!failed) return;
    let pause = 5000;
    let timer = 0;
    const next = () => {
      timer = window.setTimeout(() => {
        again();
        pause = Math.min(pause * 2, 60_000);
        next();
      }, pause);
    };
    const online = () => void again();
    next();
    addEventListener('online', online);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', online);
    };
  }, [failed]);
}
