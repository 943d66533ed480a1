import { NativeSelect, TextInput } from '@mantine/core';
import { accessibilities } from '@portage/api';
import { CheckBox } from '@portage/kit/desk/button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './form.module.css';
import type { MoveForm, MoveKey } from './move-form.ts';

/** The name of a field; those of the two ends share theirs. */
export function useFieldName(): (key: MoveKey) => string {
  const { t } = useTranslation('change');
  return (key) => {
    switch (key) {
      case 'pickupAptUnit':
      case 'dropoffAptUnit':
        return t('field.aptUnit');
      case 'pickupFloor':
      case 'dropoffFloor':
        return t('field.floor');
      case 'pickupHasElevator':
      case 'dropoffHasElevator':
        return t('field.elevator');
      case 'pickupHasParking':
      case 'dropoffHasParking':
        return t('field.parking');
      case 'pickupAccessibility':
      case 'dropoffAccessibility':
        return t('field.access');
      case 'pickupDetails':
      case 'dropoffDetails':
        return t('field.details');
      default:
        return t(`field.${key}`);
    }
  };
}

/** Fields that belong together, with their name. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['legend']}>{title}</legend>
      <div className={classes['fields']}>{children}</div>
    </fieldset>
  );
}

interface MoveFieldsOptions {
  form: MoveForm;
  onForm: (change: Partial<MoveForm>) => void;
  /** What is wrong with a field, when something is. */
  errorOf?: (key: MoveKey) => string | undefined;
  idOf?: (key: MoveKey) => string | undefined;
}

/** The fields of a move, for a page to put where they belong. */
export function useMoveFields({ form, onForm, errorOf, idOf }: MoveFieldsOptions) {
  const { t } = useTranslation(['change', 'domain']);
  const name = useFieldName();
  const text = (key: MoveKey, type = 'text', more: { min?: number; max?: number; step?: number } = {}) => (
    <TextInput
      key={key}
      id={idOf?.(key)}
      label={name(key)}
      type={type}
      {...more}
      value={String(form[key])}
      error={errorOf?.(key)}
      onChange={(event) => onForm({ [key]: event.currentTarget.value })}
    />
  );
  const flag = (key: MoveKey) => (
    <CheckBox
      key={key}
      label={name(key)}
      labelShown
      checked={form[key] === true}
      onChange={(on) => onForm({ [key]: on })}
    />
  );
  /** How one gets in and out at one end. */
  const access = (side: 'pickup' | 'dropoff') => (
    <>
      {text(`${side}AptUnit`)}
      {text(`${side}Floor`, 'number', { min: -5, max: 80 })}
      {text(`${side}HasElevator`, 'number', { min: 0, max: 20 })}
      <NativeSelect
        id={idOf?.(`${side}Accessibility`)}
        label={name(`${side}Accessibility`)}
        value={form[`${side}Accessibility`]}
        error={errorOf?.(`${side}Accessibility`)}
        onChange={(event) => onForm({ [`${side}Accessibility`]: event.currentTarget.value })}
        data={accessibilities.map((value) => ({ value, label: t(`domain:accessibility.${value}`) }))}
      />
      {flag(`${side}HasParking`)}
      <div className={classes['wide']}>{text(`${side}Details`)}</div>
    </>
  );
  return { text, flag, access };
}
