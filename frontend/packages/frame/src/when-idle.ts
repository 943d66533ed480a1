/** Runs `work` once the page has loaded and the browser is idle. */
export function whenIdle(work: () => void): void {
  const idle = () => {
    // some browsers do not say when they are idle
    if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5000 });
    else setTimeout(work, 1500);
  };
  if (document.readyState === 'complete') idle();
  else addEventListener('load', idle, { once: true });
}
