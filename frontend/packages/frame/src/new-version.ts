import { leaveFor } from './leave.ts';

/*
 * After a deploy, a tab that is still open asks for files of the former version, which are gone. The next page is then
 * loaded as a whole, which brings the new version; the draft is in storage and is kept. This happens once: when a file is
 * missing after the reload, the page says so.
 */

const markKey = 'portage.reloaded';
/** Identifies the version of this script: the file name contains a hash. */
const version = import.meta.url;
/** Milliseconds after which the same version may be reloaded once more: a gap in the connection may come back. */
const reloadAgainAfter = 5 * 60_000;

/** What of a router this file uses. */
interface FollowedRouter {
  state: { isLoading: boolean };
  latestLocation: { publicHref: string };
  subscribe(event: 'onBeforeNavigate', listener: (event: { toLocation: { publicHref: string } }) => void): () => void;
}

let missing = false;
let router: FollowedRouter | null = null;

/** True after a file of this version could not be fetched. */
export function isPartMissing(): boolean {
  return missing;
}

function mayReload(): boolean {
  try {
    const [marked, at] = (sessionStorage.getItem(markKey) ?? '').split(' ');
    if (marked === version && Date.now() - Number(at) < reloadAgainAfter) return false;
    sessionStorage.setItem(markKey, `${version} ${Date.now()}`);
    return true;
  } catch {
    // nothing to count by: better a sentence than a page that reloads for ever
    return false;
  }
}

/** Loads `href` as a whole page if a file is missing and this was not tried yet; answers true when the page is being left. */
export function loadNewVersion(href: string): boolean {
  if (!missing || !navigator.onLine || !mayReload()) return false;
  leaveFor(href);
  return true;
}

/** Whether the server has another version than the one that runs here; nobody answering is none. */
export async function isReplaced(): Promise<boolean> {
  try {
    const response = await fetch(location.pathname, { cache: 'no-store', headers: { Accept: 'text/html' } });
    return response.ok && !(await response.text()).includes(version.slice(version.lastIndexOf('/')));
  } catch {
    return false;
  }
}

/** What could not be fetched is asked for again: the connection is back. */
export function forgetMissing(): void {
  missing = false;
}

addEventListener('vite:preloadError', () => {
  missing = true;
  // what is only fetched ahead, under a pointer, must not tear the page away
  if (router?.state.isLoading) loadNewVersion(router.latestLocation.publicHref);
});

/** Watches this router: once a file is missing, its next navigation becomes a load of the whole page. */
export function followRouter(next: FollowedRouter): void {
  router = next;
  missing = false;
  next.subscribe('onBeforeNavigate', ({ toLocation }) => void loadNewVersion(toLocation.publicHref));
}
