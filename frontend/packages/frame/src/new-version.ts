import { leaveFor } from './leave.ts';

/*
 * A tab that was open while a new version went out asks for files that are gone. The page to come is then loaded as a
 * whole, which brings the new version; the draft is in storage and comes along. Once only: what is missing after that is
 * missing for another reason, and is said.
 */

const markKey = 'portage.reloaded';
/** Names the version this script is of; its file name has a hash. */
const version = import.meta.url;
/** A gap in the connection much later may have its reload again. */
const rest = 5 * 60_000;

interface Loading {
  state: { isLoading: boolean };
  latestLocation: { publicHref: string };
  subscribe(event: 'onBeforeNavigate', listener: (event: { toLocation: { publicHref: string } }) => void): () => void;
}

let missing = false;
let router: Loading | null = null;

/** Whether a file of this version could not be fetched. */
export function isPartMissing(): boolean {
  return missing;
}

function mayReload(): boolean {
  try {
    const [marked, at] = (sessionStorage.getItem(markKey) ?? '').split(' ');
    if (marked === version && Date.now() - Number(at) < rest) return false;
    sessionStorage.setItem(markKey, `${version} ${Date.now()}`);
    return true;
  } catch {
    // nothing to count by: better a sentence than a page that reloads for ever
    return false;
  }
}

/** Loads `href` as a whole if a file is missing and that was not tried yet; true when the page is on its way. */
export function loadNewVersion(href: string): boolean {
  if (!missing || !navigator.onLine || !mayReload()) return false;
  leaveFor(href);
  return true;
}

addEventListener('vite:preloadError', () => {
  missing = true;
  // what is only fetched ahead, under a pointer, must not tear the page away
  if (router?.state.isLoading) loadNewVersion(router.latestLocation.publicHref);
});

/** From now on a step of this router to another page is a whole load once something is missing. */
export function followRouter(next: Loading): void {
  router = next;
  missing = false;
  next.subscribe('onBeforeNavigate', ({ toLocation }) => void loadNewVersion(toLocation.publicHref));
}
