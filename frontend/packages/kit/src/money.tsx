import { formatMoney, useLanguage } from '@portage/i18n';

/** Shows an amount of money, given as a decimal string in dollars, in the format of the language on screen. */
export function Money({
  value,
  currency = 'CAD',
  className,
}: {
  value: string;
  currency?: string;
  className?: string;
}) {
  const language = useLanguage();
  return (
    <span className={['pg-num', className].filter(Boolean).join(' ')}>{formatMoney(value, language, currency)}</span>
  );
}
