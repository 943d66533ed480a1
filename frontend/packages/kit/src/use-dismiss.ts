import { type RefObject, useEffect } from 'react';

/** Calls `close` on Escape, which returns the focus to the opener, and on a press outside of `root`, which does not. */
export function useDismiss(opened: boolean, root: RefObject<HTMLElement | null>, close: () => void): void {
  useEffect(() => {
    if (!opened) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      close();
      root.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    };
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) close();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [opened, root, close]);
}
