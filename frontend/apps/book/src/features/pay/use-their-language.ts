import { changeLanguage, currentLanguage, type Language } from '@portage/i18n';
import { useEffect } from 'react';

const storageKey = 'portage.pay.language';

/** True the first time that this tab shows this link: a language that was chosen on the page afterwards stays. */
function first(): boolean {
  const key = `${storageKey}:${location.pathname}`;
  try {
    if (sessionStorage.getItem(key) !== null) return false;
    sessionStorage.setItem(key, '1');
    return true;
  } catch {
    return true;
  }
}

/** Shows the page in the language of the booking, unless the address asks for another one. */
export function useTheirLanguage(language: Language | undefined): void {
  useEffect(() => {
    if (language === undefined || new URLSearchParams(location.search).has('lang') || !first()) return;
    // nobody has asked for it: while its texts cannot be had, the page is read in the other language
    if (language !== currentLanguage()) changeLanguage(language).catch(() => {});
  }, [language]);
}
