import { useTranslation } from 'react-i18next';

import { generalOf, ratePlaces } from '../card/figures.ts';
import { useCard } from './context.ts';
import { Duration } from './duration.tsx';
import { Fold } from './fold.tsx';
import { General, Unknown, unknownOf } from './general.tsx';
import { Periods } from './periods.tsx';
import { Provinces } from './provinces.tsx';
import { RateFields } from './rate-fields.tsx';
import { Taxes } from './taxes.tsx';

/** All of a card, part by part. */
export function CardParts() {
  const { t } = useTranslation('rates');
  const { draft } = useCard();
  const unknown = unknownOf(draft.card);
  return (
    <>
      <Fold title={t('section.default')} paths={['rates.default']} startsOpen>
        {() => <RateFields place="default" />}
      </Fold>
      <Fold title={t('section.provinces')} paths={ratePlaces(draft.card).map((place) => `rates.${place}`)}>
        {() => <Provinces />}
      </Fold>
      <Fold title={t('section.periods')} paths={['periods']}>
        {() => <Periods />}
      </Fold>
      <Fold title={t('section.general')} paths={generalOf().map(({ path }) => path)}>
        {() => <General />}
      </Fold>
      <Fold title={t('section.taxes')} paths={['taxes']}>
        {() => <Taxes />}
      </Fold>
      <Fold title={t('section.duration')} paths={['duration']}>
        {() => <Duration />}
      </Fold>
      {unknown.length > 0 ? (
        <Fold title={t('section.unknown')} paths={unknown}>
          {() => <Unknown places={unknown} />}
        </Fold>
      ) : null}
    </>
  );
}
