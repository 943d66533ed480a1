import { formatMoney, useLanguage } from '@portage/i18n';

/** A decimal string in dollars, written the way the person's language writes money. */
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
