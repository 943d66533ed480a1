import { useProvinceChoices } from '@portage/domain';
import { DeskButton } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import { removePart, setPart } from '../card/draft.ts';
import { ratePlaces } from '../card/figures.ts';
import { AddFrom } from './add-entry.tsx';
import { useCard } from './context.ts';
import { Fold } from './fold.tsx';
import { usePlaceName } from './names.ts';
import { RateFields } from './rate-fields.tsx';

/** Provinces that differ from everywhere else, each with what differs. */
export function Provinces() {
  const { t } = useTranslation('rates');
  const { draft, change } = useCard();
  const name = usePlaceName();
  const choices = useProvinceChoices();
  const places = ratePlaces(draft.card);
  return (
    <>
      <p className="pg-help">{t('provinces.help')}</p>
      {places.map((place) => (
        <Fold key={place} level={3} title={name(place)} paths={[`rates.${place}`]}>
          {() => (
            <>
              <RateFields place={place} />
              <DeskButton
                variant="danger"
                onClick={() => change(`rates.${place}`, (now) => removePart(now, `rates.${place}`))}
              >
                {t('province.remove', { place: name(place) })}
              </DeskButton>
            </>
          )}
        </Fold>
      ))}
      <AddFrom
        label={t('province.which')}
        addLabel={t('province.add')}
        options={choices.filter(({ value }) => !places.includes(value))}
        onAdd={(place) => change(`rates.${place}`, (now) => setPart(now, `rates.${place}`, {}))}
      />
    </>
  );
}
