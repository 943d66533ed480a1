import type { SelectedFurniture } from '@portage/api';
import { catalogueQuery } from '@portage/furniture';
import { formatNumber, useLanguage } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import classes from './item-list.module.css';

/** What is moved, named in the language on screen. */
export function ItemList({ items, volume }: { items: SelectedFurniture[]; volume: string }) {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  const catalogue = useQuery(catalogueQuery);
  const name = (id: string) =>
    catalogue.data?.data.find((one) => one.id === id)?.name[language] ?? id.replaceAll('-', ' ');
  const count = items.reduce((sum, item) => sum + item.quantity, 0);
  return (
    <>
      <p className="pg-muted">
        {t('count.items', { count })} ·{' '}
        {t('furniture.cubicFeet', { volume: formatNumber(volume, language, { maximumFractionDigits: 1 }) })}
      </p>
      <ul className={classes['items']}>
        {items.map((item) => (
          <li key={item.id}>
            <span className="pg-num">{item.quantity} ×</span> {name(item.id)}
          </li>
        ))}
      </ul>
    </>
  );
}
