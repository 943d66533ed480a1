import type { RateCard } from '@portage/api';
import { formatItems, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import { figuresOf } from '../card/figures.ts';
import { changedPlaces } from '../card/merge.ts';
import type { Card } from '../card/paths.ts';
import classes from '../rates.module.css';
import { useFigureName, usePartName } from './names.ts';

/** So many of their changes are named; the rest is counted. */
const named = 8;

interface ConflictProps {
  theirs: RateCard;
  base: Card;
  onKeep: () => void;
  onDrop: () => void;
}

/** A colleague has saved a version meanwhile: which one, what they changed, and the two ways on. */
export function Conflict({ theirs, base, onKeep, onDrop }: ConflictProps) {
  const { t } = useTranslation('rates');
  const language = useLanguage();
  const partName = usePartName();
  const figureName = useFigureName();
  const card = theirs.card as Card;
  const figures = new Map(figuresOf(card).map((figure) => [figure.path, figure]));
  const changed = changedPlaces(base, card).map((path) => {
    const figure = figures.get(path);
    const part = partName(path, card);
    return figure ? t('figureIn', { part, figure: figureName(figure) }) : part;
  });
  const all = [...new Set(changed)];
  return (
    <Notice
      tone="warning"
      live
      led
      title={t('conflict.title', { version: theirs.version })}
      action={
        <div className={classes['buttons']}>
          <DeskButton variant="primary" onClick={onKeep}>
            {t('conflict.keep')}
          </DeskButton>
          <DeskButton onClick={onDrop}>{t('conflict.drop')}</DeskButton>
        </div>
      }
    >
      <p>{t('conflict.text')}</p>
      {all.length === 0 ? (
        <p>{t('conflict.none')}</p>
      ) : (
        <p>
          {all.length > named
            ? t('conflict.changedMore', {
                figures: formatItems(all.slice(0, named), language),
                n: all.length - named,
              })
            : t('conflict.changed', { figures: formatItems(all, language) })}
        </p>
      )}
    </Notice>
  );
}
