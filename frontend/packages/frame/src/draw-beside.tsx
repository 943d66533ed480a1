import { type ReactNode, startTransition, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';

function TellsWhenDrawn({ onDrawn, children }: { onDrawn: () => void; children: ReactNode }) {
  useLayoutEffect(onDrawn, [onDrawn]);
  return children;
}

/**
 * Draws an app behind the page that index.html shows meanwhile, and answers its element, still hidden. The browser may
 * paint and take presses in between; drawn in one go, the app would block a slow phone for a third of a second.
 */
export function drawBeside(shown: HTMLElement, app: ReactNode): Promise<HTMLElement> {
  const place = document.createElement('div');
  place.hidden = true;
  shown.after(place);
  return new Promise((resolve) => {
    const onDrawn = () => resolve(place);
    startTransition(() => {
      createRoot(place).render(<TellsWhenDrawn onDrawn={onDrawn}>{app}</TellsWhenDrawn>);
    });
  });
}

/** Puts what `drawBeside` has drawn into the place of the page shown until now. */
export function takePlace(shown: HTMLElement, drawn: HTMLElement): void {
  shown.remove();
  drawn.id = shown.id;
  drawn.hidden = false;
}
