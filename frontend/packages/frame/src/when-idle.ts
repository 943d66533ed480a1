/** Does something once the page has loaded and the browser has nothing better to do. */
export function whenIdle(work: () => void): void {
  const idle = () => {
    // some browsers do not say when they are idle
    if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5000 });
    else setTimeout(work, 1500);
  };
  if (document.readyState === 'complete') idle();
  else addEventListener('load', idle, { once: true });
}
