import { formatDateTime, useLanguage } from '@portage/i18n';

/** An instant in a zone. */
export function DateTime({ value, zone, withZone = false }: { value: string; zone: string; withZone?: boolean }) {
  const language = useLanguage();
  return <time dateTime={value}>{formatDateTime(value, zone, language, withZone)}</time>;
}
