import { zoneName, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

/** Says by which place's clock the hours above it are. */
export function ClockOf({ zone }: { zone: string }) {
  const { t } = useTranslation('domain');
  const place = zoneName(zone, useLanguage());
  return place ? <p className="pg-help">{t('policy.zone', { zone: place })}</p> : null;
}
