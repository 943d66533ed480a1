import { NativeSelect } from '@mantine/core';
import { useProvinceChoices } from '@portage/domain';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import { type Draft, removeEntry } from '../card/draft.ts';
import { periodFigures } from '../card/figures.ts';
import { removeAt, setAt } from '../card/paths.ts';
import { fieldIdOf } from '../card/places.ts';
import { letterOf, type Period, type PeriodRule, periodRules } from '../card/year.ts';
import classes from '../rates.module.css';
import { useCard } from './context.ts';
import { FigureField } from './figure-field.tsx';
import { MonthDay } from './month-day.tsx';
import { usePeriodName } from './names.ts';

const places = ['all', 'only', 'except'] as const;
type Places = (typeof places)[number];
const lists = { only: 'provinces', except: 'provinces_except' } as const;

/** A time when hours cost more: when, where and by how much. */
export function PeriodFields({ period, index }: { period: Period; index: number }) {
  const { t } = useTranslation(['rates', 'domain']);
  const { errors, change } = useCard();
  const provinces = useProvinceChoices();
  const at = `periods[${index}]`;
  const figures = periodFigures(index);
  const name = usePeriodName()(period.name, index);
  // the parts that are chosen have nothing typed below them
  const edit = (key: string, make: (card: Draft['card']) => Draft['card']) =>
    change(`${at}.${key}`, (now) => ({ ...now, card: make(now.card) }));
  const setRule = (rule: PeriodRule) =>
    edit('rule', (card) => {
      const next = setAt(card, `${at}.rule`, rule);
      return rule === 'range'
        ? setAt(setAt(next, `${at}.from`, '07-01'), `${at}.to`, '07-01')
        : removeAt(removeAt(next, `${at}.from`), `${at}.to`);
    });
  const where: Places = period.only ? 'only' : period.except ? 'except' : 'all';
  const chosen = period.only ?? period.except ?? [];
  const setWhere = (next: Places) =>
    edit('provinces', (card) => {
      const bare = removeAt(removeAt(card, `${at}.provinces`), `${at}.provinces_except`);
      return next === 'all' ? bare : setAt(bare, `${at}.${lists[next]}`, chosen);
    });
  const toggle = (province: string, on: boolean) => {
    if (where === 'all') return;
    const path = lists[where];
    edit(path, (card) =>
      setAt(card, `${at}.${path}`, on ? [...chosen, province] : chosen.filter((one) => one !== province)),
    );
  };
  const wrongPlaces = errors[`${at}.provinces`] ?? errors[`${at}.provinces_except`];
  return (
    <fieldset className={classes['entry']}>
      <legend className={classes['entryName']}>
        <span className={classes['letter']} aria-hidden>
          {letterOf(index)}
        </span>
        {name}
      </legend>
      <div className={classes['fields']}>
        <FigureField figure={figures.name} />
        <FigureField figure={figures.factor} />
        <NativeSelect
          id={fieldIdOf(`${at}.rule`)}
          label={t('period.when')}
          value={period.rule}
          error={errors[`${at}.rule`]}
          data={periodRules.map((value) => ({ value, label: t(`rule.${value}`) }))}
          onChange={(event) => setRule(event.currentTarget.value as PeriodRule)}
        />
        {period.rule === 'range'
          ? (['from', 'to'] as const).map((end) => (
              <MonthDay
                key={end}
                id={fieldIdOf(`${at}.${end}`)}
                label={t(`period.${end}`)}
                value={period[end]}
                error={errors[`${at}.${end}`]}
                onChange={(value) => edit(end, (card) => setAt(card, `${at}.${end}`, value))}
              />
            ))
          : null}
        <NativeSelect
          id={fieldIdOf(`${at}.provinces`)}
          label={t('period.where')}
          value={where}
          error={wrongPlaces}
          data={places.map((value) => ({ value, label: t(`where.${value}`) }))}
          onChange={(event) => setWhere(event.currentTarget.value as Places)}
        />
        {where === 'all' ? null : (
          <div role="group" aria-label={t(`where.${where}`)} className={classes['boxes']}>
            {provinces.map((province) => (
              <CheckBox
                key={province.value}
                label={province.label}
                labelShown
                checked={chosen.includes(province.value)}
                onChange={(on) => toggle(province.value, on)}
              />
            ))}
          </div>
        )}
      </div>
      <DeskButton
        variant="quiet"
        aria-label={t('entry.removeNamed', { name })}
        onClick={() => change('periods', (now) => removeEntry(now, 'periods', index))}
      >
        {t('entry.remove')}
      </DeskButton>
    </fieldset>
  );
}
