import { useEffect } from 'react';

/** Calls `onKey` on Ctrl+K or ⌘K wherever the focus is: the combination types nothing. */
export function usePaletteKey(onKey: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      onKey();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [onKey]);
}

/** Answers the name of the key combination on this keyboard. */
export function paletteKeyName(): string {
  return /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
}
