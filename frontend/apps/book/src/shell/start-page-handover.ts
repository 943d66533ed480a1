/**
 * The start page stands in index.html before the app has arrived (`start-shell.ts`). These two functions let the app
 * take its place without losing what a person is doing on it.
 */

const longestPress = 2000;

/** Resolves when nothing is pressed any more: a click on an element that is replaced before its release is lost. */
export function pressReleased(): Promise<void> {
  if (!document.documentElement.hasAttribute('data-pressed')) return Promise.resolve();
  return new Promise((resolve) => {
    // the click is dispatched after the release
    const released = () => setTimeout(resolve);
    addEventListener('pointerup', released, { once: true });
    addEventListener('pointercancel', released, { once: true });
    setTimeout(resolve, longestPress);
  });
}

/** Shows the app; where the link of the page before had the focus, the app's own link gets it. */
export function keepFocus(show: () => void): void {
  const focused = Boolean(document.activeElement?.closest('.shell-start'));
  show();
  if (focused) document.querySelector<HTMLElement>('main a[href^="/locations"]')?.focus();
}
