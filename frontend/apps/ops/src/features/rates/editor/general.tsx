import { useTranslation } from 'react-i18next';

import { Fact, Facts } from '../../../shell/catalogue/parts.tsx';
import { choicesOf, figuresOf, generalOf } from '../card/figures.ts';
import { type Card, getAt, isWithin, leavesOf } from '../card/paths.ts';
import classes from '../rates.module.css';
import { useCard } from './context.ts';
import { FigureFields } from './figure-field.tsx';

/** What belongs to the card as a whole. */
export function General() {
  return (
    <div className={classes['fields']}>
      <FigureFields figures={generalOf()} />
    </div>
  );
}

/** Places of a card that this page has no field for: those of a newer server. */
export function unknownOf(card: Card): string[] {
  const known = [...figuresOf(card).map(({ path }) => path), ...choicesOf(card)];
  return leavesOf(card).filter((leaf) => !known.some((path) => isWithin(leaf, path)));
}

/** They are shown, and sent back as they came. */
export function Unknown({ places }: { places: readonly string[] }) {
  const { t } = useTranslation('rates');
  const { card } = useCard();
  return (
    <>
      <p className="pg-help">{t('unknown.help')}</p>
      <Facts>
        {places.map((path) => (
          <Fact key={path} name={path}>
            {JSON.stringify(getAt(card, path))}
          </Fact>
        ))}
      </Facts>
    </>
  );
}
