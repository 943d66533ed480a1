import { changeLanguage, currentLanguage, type Language } from '@portage/i18n';
import { useEffect } from 'react';

const storageKey = 'portage.pay.language';

/** True the first time in this tab: a language that was chosen on the page afterwards stays. */
function first(): boolean {
  try {
    if (sessionStorage.getItem(storageKey) !== null) return false;
    sessionStorage.setItem(storageKey, '1');
    return true;
  } catch {
    return true;
  }
}

/** Shows the page in the language of the booking, unless the address asks for another one. */
export function useTheirLanguage(language: Language | undefined): void {
  useEffect(() => {
    if (language === undefined || new URLSearchParams(location.search).has('lang') || !first()) return;
    if (language !== currentLanguage()) void changeLanguage(language);
  }, [language]);
}
