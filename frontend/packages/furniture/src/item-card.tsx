import type { Furniture } from '@portage/api';
import { formatNumber, useLanguage } from '@portage/i18n';
import { QuantityStepper } from '@portage/kit';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';

import { Drawing } from './drawing.tsx';
import classes from './furniture-picker.module.css';

interface ItemCardProps {
  item: Furniture;
  count: number;
  setCount: (id: string, count: number) => void;
  /** Whether it is taken apart; null where nobody is asked. */
  assembly?: boolean | null;
  setAssembly?: (id: string, assembly: boolean) => void;
}

/** A piece to choose: while there is none of it, the whole card adds the first. */
export const ItemCard = memo(function ItemCard({ item, count, setCount, assembly = null, setAssembly }: ItemCardProps) {
  const { t } = useTranslation(['furniture', 'domain']);
  const language = useLanguage();
  const name = item.name[language];
  return (
    <li className={classes['card']} data-chosen={count > 0 || undefined} data-id={item.id}>
      <Drawing id={item.id} />
      <span className={classes['text']}>
        <span className={classes['name']}>{name}</span>
        <span className={classes['volume']}>
          {t('domain:furniture.cubicFeet', { volume: formatNumber(item.cubicFeet, language) })}
        </span>
      </span>
      <span className={classes['count']}>
        <QuantityStepper
          label={name}
          value={count}
          max={200}
          quietAtMin
          onChange={(quantity) => setCount(item.id, quantity)}
        />
      </span>
      {count > 0 && assembly !== null && setAssembly ? (
        <label className={classes['assembly']}>
          <input
            type="checkbox"
            checked={assembly}
            onChange={(event) => setAssembly(item.id, event.currentTarget.checked)}
          />
          <span aria-hidden>{t('assembly.short')}</span>
          <span className={classes['hidden']}>{t('assembly.of', { item: name })}</span>
        </label>
      ) : null}
    </li>
  );
});
