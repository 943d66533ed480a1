let pressed = false;
let end: ReturnType<typeof setTimeout> | undefined;
let waiting: (() => void)[] = [];

function press() {
  clearTimeout(end);
  pressed = true;
}

function release() {
  clearTimeout(end);
  // the click belongs to the press and comes before this
  end = setTimeout(() => {
    pressed = false;
    const now = waiting;
    waiting = [];
    for (const go of now) go();
  });
}

if (typeof window !== 'undefined') {
  const options = { capture: true, passive: true };
  // a touch tells the mouse's events after the pointer's, and moves the focus between them
  for (const name of ['pointerdown', 'mousedown']) window.addEventListener(name, press, options);
  for (const name of ['pointerup', 'mouseup', 'pointercancel', 'dragend'])
    window.addEventListener(name, release, options);
}

/**
 * Ends with the press under way, click included; null while nothing is pressed. A field is checked when it is left, which a press
 * elsewhere does at its begin: an error line that came then would move what is pressed away from under the finger, and the
 * press would be lost.
 */
export function afterPress(): Promise<void> | null {
  return pressed ? new Promise((go) => waiting.push(go)) : null;
}
