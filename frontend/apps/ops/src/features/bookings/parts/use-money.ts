import { formatMoney, useLanguage } from '@portage/i18n';

/** Writes an amount into a sentence. */
export function useMoney(): (value: string) => string {
  const language = useLanguage();
  return (value) => formatMoney(value, language);
}
