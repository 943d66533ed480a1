import { useTranslation } from 'react-i18next';

/** Writes whole minutes as hours and minutes. */
export function useDurationText(): (minutes: number) => string {
  const { t } = useTranslation('domain');
  return (total) => {
    const hours = Math.floor(total / 60);
    const minutes = total % 60;
    if (hours === 0) return t('duration.m', { minutes });
    if (minutes === 0) return t('duration.h', { hours });
    return t('duration.hm', { hours, minutes });
  };
}
