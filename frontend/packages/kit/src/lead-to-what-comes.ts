/** Whoever pressed so long ago, in milliseconds, looks at something else by now. */
const longest = 30_000;

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

/**
 * For a button that goes with what it stands in, such as "Try again": the focus would fall to the page. It goes to the
 * content that comes in its place: a heading of it, or its first control; not to the grey bars meanwhile. Whoever goes
 * elsewhere before is left alone.
 */
export function leadToWhatComes(pressed: HTMLElement): void {
  const around: HTMLElement[] = [];
  for (let one = pressed.parentElement; one && one !== document.body; one = one.parentElement) around.push(one);
  const added = new Set<HTMLElement>();
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    document.removeEventListener('pointerdown', stop, true);
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof HTMLElement) added.add(node);
    // it is still there: nothing has come yet
    if (pressed.isConnected) return;
    if (!isLost()) return void stop();
    const place = around.find((one) => one.isConnected) ?? document.body;
    if (place.querySelector(waits)) return;
    const content = [...added].find(
      (one) => one.isConnected && (place.contains(one) || one.contains(place)) && one.textContent !== '',
    );
    if (!content) return;
    focusOn(content.matches(targets) ? content : (content.querySelector<HTMLElement>(targets) ?? content));
    stop();
  });
  const timer = setTimeout(stop, longest);
  observer.observe(document.body, { childList: true, subtree: true });
  // pressing elsewhere says where somebody is
  setTimeout(() => document.addEventListener('pointerdown', stop, true));
}

/** For what somebody closes: the next control behind it takes the focus, or the one before, once it is gone. */
export function leadBeside(closed: HTMLElement): void {
  const scope = closed.closest('[role="dialog"], main') ?? document.body;
  const shown = (one: HTMLElement) => one.closest('[hidden], [inert], [aria-hidden="true"]') === null;
  const all = [...scope.querySelectorAll<HTMLElement>(targets)].filter((one) => !closed.contains(one) && shown(one));
  const behind = (one: HTMLElement) => (closed.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const isControl = (one: HTMLElement) => one.matches(controls);
  const next =
    all.find((one) => behind(one) && isControl(one)) ?? all.findLast((one) => !behind(one)) ?? all.find(behind) ?? null;
  requestAnimationFrame(() => {
    if (!closed.isConnected && isLost() && next?.isConnected) focusOn(next);
  });
}
