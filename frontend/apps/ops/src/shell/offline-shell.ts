/** How long the page is left alone before its files are taken in. */
const settled = 3000;

/**
 * Lets this page open without network (`public/sw.js`): hands what it has loaded to the service worker. Nothing of a person is
 * in it. Answers how to stop.
 */
export function keepShell(): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => undefined;
  const timer = setTimeout(() => {
    void (async () => {
      try {
        await navigator.serviceWorker.register(`${import.meta.env.BASE_URL}sw.js`);
        const { active } = await navigator.serviceWorker.ready;
        const files = performance.getEntriesByType('resource').map(({ name }) => name);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's; a worker takes no origin
        active?.postMessage({ files });
      } catch (error) {
        console.debug('this page will not open without network', error);
      }
    })();
  }, settled);
  return () => clearTimeout(timer);
}
