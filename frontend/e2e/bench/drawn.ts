import type { Page } from '@playwright/test';

interface Drawn {
  /** The page that is opened anew for each run. */
  address: string;
  /** What stands for the data on the screen, and how much of it makes it whole. */
  selector: string;
  wanted: number;
  /** Addresses of the answers that the data comes from, as a regular expression. */
  answers: string;
  runs: number;
}

/** Runs in the page: writes down when so much of the data was on screen. */
function watch({ selector, wanted }: Pick<Drawn, 'selector' | 'wanted'>): void {
  const seen = Object.assign(window, { drawn: { at: 0 } }).drawn;
  const look = () => {
    if (seen.at > 0 || document.querySelectorAll(selector).length < wanted) return;
    // the frame that shows it has been painted when the task after it runs
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        seen.at ||= performance.now();
      });
      port1.start();
      port2.postMessage(null);
    });
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
}

/** Milliseconds from the last answer to all of its data on the screen, and how many answers there were, of each run. */
export async function measureDrawn(
  page: Page,
  { address, selector, wanted, answers, runs }: Drawn,
): Promise<{ ms: number; answers: number }[]> {
  await page.addInitScript(watch, { selector, wanted });
  const took: { ms: number; answers: number }[] = [];
  for (let run = 0; run < runs; run += 1) {
    await page.goto(address);
    await page.waitForFunction(() => (window as unknown as { drawn: { at: number } }).drawn.at > 0);
    took.push(
      await page.evaluate((of) => {
        const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
        const needed = all.filter(({ name }) => new RegExp(of).test(name));
        const { at } = (window as unknown as { drawn: { at: number } }).drawn;
        return { answers: needed.length, ms: at - Math.max(...needed.map(({ responseEnd }) => responseEnd)) };
      }, answers),
    );
  }
  return took;
}

/** Prints the median and the slowest run beside what they must stay below. */
export function printDrawn(what: string, took: readonly { ms: number }[], mustStayBelow: number): void {
  const sorted = took.map(({ ms }) => ms).sort((a, b) => a - b);
  const [median, slowest] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
  console.log(
    `${what}, drawn after its data is there: ${median.toFixed(0)} ms, slowest of ${sorted.length} ${slowest.toFixed(0)} (must stay below ${mustStayBelow})`,
  );
}
