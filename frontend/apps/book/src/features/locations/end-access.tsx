import { Button } from '@mantine/core';
import { accessibilities } from '@portage/api';
import { placeCategories, useAccessFacts } from '@portage/domain';
import { CheckboxField, ChoiceField, QuantityField, SelectField, TextAreaField, TextField } from '@portage/kit';
import { useId, useState } from 'react';
import { type Control, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import { emptyEnd, type End, floorRange, elevatorRange } from '../../booking/draft/ends.ts';
import classes from './end-section.module.css';
import type { LocationsValues } from './locations-form.ts';

/** The level of a door in the words people use for the flats of a duplex or triplex. */
export function useLevelWords(): (floor: number) => string {
  const { t } = useTranslation('locations');
  return (floor) => {
    if (floor < -1) return t('level.deep', { count: -floor });
    if (floor > 2) return t('level.high', { count: floor });
    if (floor === -1) return t('level.basement');
    return floor === 0 ? t('level.ground') : floor === 1 ? t('level.first') : t('level.second');
  };
}

/** How one gets in and out: one line that says what is assumed, and the questions behind it. */
export function EndAccess({ end, control }: { end: End; control: Control<LocationsValues> }) {
  const { t } = useTranslation(['locations', 'common', 'domain', 'wizard']);
  const id = useId();
  const facts = useAccessFacts();
  const words = useLevelWords();
  const values = useWatch({ control, name: end });
  const { errors } = useFormState({ control, name: end });
  const [asked, setAsked] = useState(false);
  // a mistake in there is never folded away
  const wrong = Object.keys(errors[end] ?? {}).some((field) => field !== 'place' && field !== 'unit');
  const opened = asked || wrong;

  const unsaid = emptyEnd();
  const assumed = (['floor', 'elevator', 'parking', 'accessibility', 'details', 'category'] as const).every(
    (field) => values[field] === unsaid[field],
  );
  const title = assumed ? t('access.assumed') : t('access.title');
  return (
    <div className={classes['details']}>
      <TextField
        control={control}
        name={`${end}.unit`}
        label={t('unit.label')}
        optional
        maw={280}
        autoComplete="address-line2"
      />
      <div className={classes['access']}>
        <p className="pg-small pg-muted">{title}</p>
        <Button
          variant="default"
          size="sm"
          aria-expanded={opened}
          aria-controls={`${id}-access`}
          aria-label={opened ? t('common:action.close') : t('wizard:changeWhat', { what: t('access.title') })}
          onClick={() => setAsked(!opened)}
        >
          {opened ? t('common:action.close') : t('wizard:change')}
        </Button>
        <ul className={classes['facts']} data-testid={`${end}-access`}>
          {[
            ...(values.category === '' ? [] : [t(`domain:category.${values.category}`)]),
            ...facts(values),
            ...(values.accessibility === 'easy' ? [] : [t(`domain:accessibility.${values.accessibility}`)]),
          ].map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      </div>
      <div id={`${id}-access`} hidden={!opened} className={classes['questions']}>
        {opened ? (
          <>
            <SelectField
              control={control}
              name={`${end}.category`}
              label={t('category.label')}
              data={[
                { value: '', label: t('category.none') },
                ...placeCategories.map((value) => ({ value, label: t(`domain:category.${value}`) })),
              ]}
            />
            <QuantityField
              control={control}
              name={`${end}.floor`}
              label={t('floor.label')}
              min={floorRange.min}
              max={floorRange.max}
              help={words(values.floor)}
            />
            <QuantityField
              control={control}
              name={`${end}.elevator`}
              label={t('elevator.label')}
              min={elevatorRange.min}
              max={elevatorRange.max}
              help={t('elevator.help')}
            />
            <CheckboxField
              control={control}
              name={`${end}.parking`}
              label={t('parking.label')}
              description={t('parking.help')}
            />
            <ChoiceField
              control={control}
              name={`${end}.accessibility`}
              label={t('accessibility.label')}
              columns="list"
              choices={accessibilities.map((value) => ({
                value,
                label: t(`domain:accessibility.${value}`),
                description: t(`accessibility.${value}`),
              }))}
            />
            <TextAreaField
              control={control}
              name={`${end}.details`}
              label={t('details.label')}
              description={t('details.help')}
              optional
              autosize
              minRows={2}
              maxRows={6}
            />
          </>
        ) : null}
      </div>
    </div>
  );
}
