import { type Province, provinces } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

/** All provinces with their names, in the order of the names. */
export function useProvinceChoices(): { value: Province; label: string }[] {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  const order = new Intl.Collator(language).compare;
  return provinces
    .map((value) => ({ value, label: t(`province.${value}`) }))
    .sort((one, other) => order(one.label, other.label));
}
