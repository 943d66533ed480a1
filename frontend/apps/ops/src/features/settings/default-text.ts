import { parseCents } from '@portage/domain';
import { formatItems, formatNumber, formatWallTime, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { changeFeeModes, type Field } from './fields.ts';
import { at, type Form } from './values.ts';

/** The default of a field in words, where it has one input and its default is not empty; else null. */
export function useDefaultText(): (field: Field, defaults: Form) => string | null {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  return ({ name, leaves }, defaults) => {
    const [leaf] = leaves;
    if (!leaf || leaf.path !== name) return null;
    const value = at(defaults, name);
    if (typeof value === 'boolean') return value ? t('on') : t('off');
    const text = typeof value === 'string' ? value : '';
    if (text === '') return null;
    switch (leaf.kind) {
      case 'percent': {
        const share = (parseCents(text) ?? 0) / 10_000;
        return formatNumber(share, language, { style: 'percent', maximumFractionDigits: 2 });
      }
      case 'whole':
        return formatNumber(text, language);
      case 'hours':
        return formatItems(text.split(', '), language);
      case 'time':
        return formatWallTime(text, language);
      case 'choice': {
        const mode = changeFeeModes.find((one) => one === text);
        return mode ? t(`mode.${mode}`) : text;
      }
      default:
        return text;
    }
  };
}
