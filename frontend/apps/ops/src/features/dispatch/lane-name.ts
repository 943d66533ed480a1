import { formatItems, formatName, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import type { Lane } from './lanes.ts';

/** What a lane is called: a person, a truck with its length, or the people of a crew. */
export function useLaneName(): (lane: Lane) => string {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  return ({ name, feet, crew }) => {
    if (crew.length > 0) return formatItems(crew.map(formatName), language);
    return feet === null ? formatName(name) : t('truck', { name, feet });
  };
}
