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

export interface TypedEarly {
  end: 'pickup' | 'dropoff';
  text: string;
}

const typedKey = (end: string) => `portage.typed.${end}`;

/** What was typed into the fields of the page that stood here before the app, or of the one before that. */
export function typedEarly(): TypedEarly[] {
  return (['pickup', 'dropoff'] as const).flatMap((end) => {
    const fields = [...document.querySelectorAll<HTMLInputElement>(`.shell-start input[data-end="${end}"]`)];
    let text = fields.map((field) => field.value.trim()).find(Boolean) ?? '';
    try {
      text ||= sessionStorage.getItem(typedKey(end)) ?? '';
      sessionStorage.removeItem(typedKey(end));
    } catch {
      // switched off: then nothing came along
    }
    return text === '' ? [] : [{ end, text }];
  });
}

/** Shows the app; what had the focus on the page before hands it on to the same thing of the app. */
export function keepFocus(show: () => void): void {
  const focused = document.activeElement?.closest('.shell-start') ? document.activeElement : null;
  const end = focused?.getAttribute('data-end');
  show();
  if (!focused) return;
  const heir = end ? `[data-end="${end}"] input` : '[data-onward]';
  document.querySelector<HTMLElement>(`main ${heir}`)?.focus();
}
