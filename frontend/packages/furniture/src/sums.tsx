import type { Furniture, SelectedFurniture } from '@portage/api';
import { formatNumber, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { totals } from './catalogue.ts';
import classes from './furniture-picker.module.css';

/** How much is chosen: pieces, volume, and how many of them are big. */
export function Sums({ selected, items }: { selected: SelectedFurniture[]; items: Furniture[] }) {
  const { t } = useTranslation(['furniture', 'domain']);
  const language = useLanguage();
  const sum = totals(selected, items);
  return (
    <div role="status" className={classes['sums']}>
      <strong>{t('domain:count.items', { count: sum.count })}</strong>
      <span>{t('domain:furniture.cubicFeet', { volume: formatNumber((sum.tenths / 10).toFixed(1), language) })}</span>
      <span title={t('items.bigHelp')}>{t('items.big', { count: sum.big })}</span>
      <span title={t('items.smallHelp')}>{t('items.small', { count: sum.small })}</span>
    </div>
  );
}
