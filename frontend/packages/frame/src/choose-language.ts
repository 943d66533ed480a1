import { changeLanguage, type Language } from '@portage/i18n';
import { useSyncExternalStore } from 'react';

import { isReplaced, loadNewVersion } from './new-version.ts';

let failed: Language | null = null;
const listeners = new Set<() => void>();

/** The language that was asked for and whose texts could not be had. */
export function tellFailed(next: Language | null): void {
  failed = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useFailedLanguage(): Language | null {
  return useSyncExternalStore(subscribe, () => failed);
}

/** Changes the language of the whole page without a reload; while its texts cannot be had, the page stays and says so. Never rejects. */
export async function chooseLanguage(language: Language): Promise<void> {
  tellFailed(null);
  try {
    await changeLanguage(language);
  } catch (error) {
    console.debug('the language could not be changed', error);
    // its texts may be files of a version that is gone
    const again = new URL(location.href);
    again.searchParams.set('lang', language);
    if (!(await isReplaced()) || !loadNewVersion(again.pathname + again.search)) tellFailed(language);
    return;
  }
  // a `lang` parameter would win again on reload, over the choice just made
  const url = new URL(location.href);
  if (url.searchParams.has('lang')) {
    url.searchParams.delete('lang');
    history.replaceState(history.state, '', url);
  }
}
