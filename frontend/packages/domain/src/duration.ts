import { useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

/** Writes whole minutes as hours and minutes: `4 h 5 min`, `4 h 05`, `4 小时 5 分钟`. */
export function useDurationText(): (minutes: number) => string {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  return (total) => {
    const hours = Math.floor(total / 60);
    const minutes = total % 60;
    if (hours === 0) return t('duration.m', { minutes });
    if (minutes === 0) return t('duration.h', { hours });
    // French writes a duration as it writes a time of day, where minutes have two digits
    return t('duration.hm', { hours, minutes: language === 'fr' ? String(minutes).padStart(2, '0') : minutes });
  };
}
