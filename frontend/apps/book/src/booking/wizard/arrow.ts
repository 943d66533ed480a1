import { useEffect } from 'react';

/** What Continue does on the page on screen. */
let current: (() => void) | null = null;

/** Lets the stepper's arrow do what Continue does, so that it passes no step that Continue refuses. */
export function useArrow(goOn: (() => void) | undefined): void {
  useEffect(() => {
    current = goOn ?? null;
    return () => {
      if (current === goOn) current = null;
    };
  }, [goOn]);
}

/** Goes on as Continue would; false where the page has nothing to check. */
export function goOnByArrow(): boolean {
  current?.();
  return current !== null;
}
