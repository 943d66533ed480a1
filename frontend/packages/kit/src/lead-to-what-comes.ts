/** Whoever pressed so long ago, in milliseconds, looks at something else by now. */
const longest = 30_000;
/** What has not come in so many milliseconds, although nothing says that it is on its way, does not come. */
const nothingMs = 600;

const controls =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';
const targets = `h1, h2, h3, h4, ${controls}`;

/** Something that only says that more is on its way. */
const waits = '[data-loading-state]';

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Gives the focus to something that may not be meant for it: it has it until it is left. */
function focusOn(target: HTMLElement): void {
  if (!target.matches(controls) && !target.hasAttribute('tabindex')) {
    target.tabIndex = -1;
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  }
  target.focus({ preventScroll: true });
}

/** The controls beside something, in the order in which they are sought: those behind it, those before it, a heading. */
export function beside(gone: HTMLElement): HTMLElement[] {
  const scope = gone.closest('[role="dialog"], main') ?? document.body;
  const shown = (one: HTMLElement) => one.closest('[hidden], [inert], [aria-hidden="true"]') === null;
  const all = [...scope.querySelectorAll<HTMLElement>(targets)].filter((one) => !gone.contains(one) && shown(one));
  const behind = (one: HTMLElement) => (gone.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const controlsOf = all.filter((one) => one.matches(controls));
  const before = controlsOf.filter((one) => !behind(one)).reverse();
  return [...controlsOf.filter(behind), ...before, ...all.filter((one) => !one.matches(controls))];
}

/** Looks after every change of the page, until `look` says that it is done, somebody presses elsewhere, or it is long ago. */
function untilDone(look: (added: HTMLElement[]) => boolean): void {
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    document.removeEventListener('pointerdown', stop, true);
  };
  const observer = new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes].filter((node) => node instanceof HTMLElement));
    if (look(added)) stop();
  });
  const timer = setTimeout(stop, longest);
  observer.observe(document.body, { childList: true, subtree: true });
  // the press that began it is over
  setTimeout(() => document.addEventListener('pointerdown', stop, true));
}

/** Pressed, and their focus led to what comes in their place: nobody passes it on beside that. */
const led = new WeakSet<HTMLElement>();

/** What is sought beside takes the focus, unless somebody went elsewhere. */
export function focusBeside(sought: HTMLElement[]): void {
  const next = sought.find((one) => one.isConnected);
  if (isLost() && next) focusOn(next);
}

/**
 * For a button that goes with what it stands in, such as "Try again": the focus would fall to the page. It goes to the
 * content that comes in its place: a heading of it, or its first control; not to the grey bars meanwhile. Where nothing
 * comes, to the next control. Whoever goes elsewhere before is left alone.
 */
export function leadToWhatComes(pressed: HTMLElement): void {
  led.add(pressed);
  const sought = beside(pressed);
  const around: HTMLElement[] = [];
  for (let one = pressed.parentElement; one && one !== document.body; one = one.parentElement) around.push(one);
  const come = new Set<HTMLElement>();
  let waited = 0;
  untilDone((added) => {
    for (const one of added) come.add(one);
    // it is still there: nothing has come yet
    if (pressed.isConnected) return false;
    if (!isLost()) return true;
    const place = around.find((one) => one.isConnected) ?? document.body;
    clearTimeout(waited);
    if (place.querySelector(waits)) return false;
    const content = [...come].find(
      (one) => one.isConnected && (place.contains(one) || one.contains(place)) && one.textContent !== '',
    );
    if (!content) {
      waited = window.setTimeout(() => focusBeside(sought), nothingMs);
      return false;
    }
    focusOn(content.matches(targets) ? content : (content.querySelector<HTMLElement>(targets) ?? content));
    return true;
  });
}

/** For what somebody closes: the next control behind it takes the focus, or the one before, once it is gone. */
export function leadBeside(closed: HTMLElement): void {
  if (led.has(closed)) return;
  const sought = beside(closed);
  untilDone(() => {
    if (closed.isConnected) return false;
    focusBeside(sought);
    return true;
  });
}
