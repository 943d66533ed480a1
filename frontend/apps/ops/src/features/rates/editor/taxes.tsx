import { useProvinceChoices } from '@portage/domain';
import { DeskButton } from '@portage/kit/desk/button';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { addEntry, removeEntry, removePart, setPart } from '../card/draft.ts';
import { taxFigures, taxPlaces } from '../card/figures.ts';
import classes from '../rates.module.css';
import { AddFrom } from './add-entry.tsx';
import { useCard } from './context.ts';
import { FigureField } from './figure-field.tsx';
import { Fold } from './fold.tsx';
import { usePlaceName } from './names.ts';

/** Without these two no tax can be worked out. */
const needed = new Set(['QC', 'QC_from_outside']);

/** Sales taxes by where a service is supplied. */
export function Taxes() {
  const { t } = useTranslation('rates');
  const { draft, change } = useCard();
  const name = usePlaceName();
  const choices = useProvinceChoices();
  const places = taxPlaces(draft.card);
  return (
    <>
      <p className="pg-help">{t('taxes.help')}</p>
      {places.map((place) => (
        <Fold key={place} level={3} title={name(place)} paths={[`taxes.${place}`]}>
          {() => (
            <>
              <TaxRule place={place} />
              {needed.has(place) ? null : (
                <DeskButton
                  variant="danger"
                  onClick={() => change(`taxes.${place}`, (now) => removePart(now, `taxes.${place}`))}
                >
                  {t('tax.remove', { place: name(place) })}
                </DeskButton>
              )}
            </>
          )}
        </Fold>
      ))}
      <AddFrom
        label={t('tax.which')}
        addLabel={t('tax.add')}
        options={choices.filter(({ value }) => !places.includes(value))}
        onAdd={(place) =>
          change(`taxes.${place}`, (now) =>
            setPart(now, `taxes.${place}`, {
              type: 'gst',
              rate_ppm: 50_000,
              components: [{ name: 'gst', rate_ppm: 50_000 }],
            }),
          )
        }
      />
    </>
  );
}

function TaxRule({ place }: { place: string }) {
  const { t } = useTranslation('rates');
  const { draft, change } = useCard();
  const list = `taxes.${place}.components`;
  const { type, rate, parts } = taxFigures(draft.card, place);
  return (
    <>
      <div className={classes['fields']}>
        <FigureField figure={type} />
        <FigureField figure={rate} />
      </div>
      {parts.map((part, index) => (
        <fieldset key={part.name.path} className={classes['entry']}>
          <legend className={classes['entryName']}>{t('tax.part', { number: index + 1 })}</legend>
          <div className={classes['fields']}>
            <FigureField figure={part.name} />
            <FigureField figure={part.rate} />
          </div>
          <DeskButton
            variant="quiet"
            aria-label={t('entry.removeNamed', { name: t('tax.part', { number: index + 1 }) })}
            onClick={() => change(list, (now) => removeEntry(now, list, index))}
          >
            {t('entry.remove')}
          </DeskButton>
        </fieldset>
      ))}
      <div>
        <DeskButton
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => change(list, (now) => addEntry(now, list, { name: '', rate_ppm: 0 }))}
        >
          {t('tax.addPart')}
        </DeskButton>
      </div>
    </>
  );
}
