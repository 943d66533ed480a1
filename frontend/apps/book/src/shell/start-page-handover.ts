/**
 * The start page stands in index.html before the app has arrived (`start-shell.ts`). These functions let the app
 * take its place without losing what a person is doing on it.
 */

/** Longer than a press or a word takes, milliseconds. */
const longestAct = 5000;

/**
 * Resolves when nothing is pressed and no word is composed any more: a click on an element that is replaced before its
 * release is lost, and so is a word of an input method (Chinese, or an accent from a dead key) that is not finished.
 */
export function actEnded(): Promise<void> {
  if (!document.documentElement.hasAttribute('data-busy')) return Promise.resolve();
  return new Promise((resolve) => {
    // the click is dispatched after the release, the finished word stands in the field after the end of its composition
    const ended = () => setTimeout(resolve);
    addEventListener('pointerup', ended, { once: true });
    addEventListener('pointercancel', ended, { once: true });
    addEventListener('compositionend', ended, { once: true });
    setTimeout(resolve, longestAct);
  });
}

export interface TypedEarly {
  end: 'pickup' | 'dropoff';
  text: string;
}

const typedKey = (end: string) => `portage.typed.${end}`;

/**
 * What was typed into the fields of the page that stood here before the app, or of the one before that: to the letter,
 * because a person who is typing has the space before the next word in it already.
 */
export function typedEarly(): TypedEarly[] {
  return (['pickup', 'dropoff'] as const).flatMap((end) => {
    const fields = [...document.querySelectorAll<HTMLInputElement>(`.shell-start input[data-end="${end}"]`)];
    let text = fields.map((field) => field.value).find((value) => value.trim()) ?? '';
    try {
      text ||= sessionStorage.getItem(typedKey(end)) ?? '';
      sessionStorage.removeItem(typedKey(end));
    } catch {
      // switched off: then nothing came along
    }
    return text.trim() === '' ? [] : [{ end, text }];
  });
}

/**
 * Whether this document goes on with a visit: one of our own pages led here, or the identity provider sends the person
 * back to `callback`.
 */
export function goesOnWithVisit(callback: string): boolean {
  if (location.pathname === callback) return true;
  return URL.canParse(document.referrer) && new URL(document.referrer).origin === location.origin;
}

/**
 * Shows the app; what had the focus on the page before hands it on to the same thing of the app. Where nothing had it,
 * the heading has it, if the document `goesOn` with a visit: it could not take it while it was hidden.
 */
export function keepFocus(show: () => void, goesOn = false): void {
  const focused = document.activeElement?.closest('.shell-start') ? document.activeElement : null;
  const end = focused?.getAttribute('data-end');
  show();
  if (!focused) {
    if (goesOn && document.activeElement === document.body)
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    return;
  }
  const heir = end ? `[data-end="${end}"] input` : '[data-onward]';
  document.querySelector<HTMLElement>(`main ${heir}`)?.focus();
}
