import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { accessibilities } from '@portage/api';
import { CheckBox } from '@portage/kit/desk/button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './change.module.css';
import type { ChangeForm, ChangeKey, FeeForm } from './form.ts';

interface FieldsProps {
  form: ChangeForm;
  onForm: (change: Partial<ChangeForm>) => void;
  fee: FeeForm;
  onFee: (change: Partial<FeeForm>) => void;
}

/** The name of a field; those of the two ends share theirs. */
export function useFieldName(): (key: ChangeKey) => string {
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

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes['group']}>
      <legend className={classes['legend']}>{title}</legend>
      <div className={classes['fields']}>{children}</div>
    </fieldset>
  );
}

/** The fields of a change, in the order in which a caller says them. */
export function Fields({ form, onForm, fee, onFee }: FieldsProps) {
  const { t } = useTranslation(['change', 'domain']);
  const name = useFieldName();
  const text = (key: ChangeKey, type = 'text', more: { min?: number; max?: number; step?: number } = {}) => (
    <TextInput
      key={key}
      label={name(key)}
      type={type}
      {...more}
      value={String(form[key])}
      onChange={(event) => onForm({ [key]: event.currentTarget.value })}
    />
  );
  const flag = (key: ChangeKey) => (
    <CheckBox
      key={key}
      label={name(key)}
      labelShown
      checked={form[key] === true}
      onChange={(on) => onForm({ [key]: on })}
    />
  );
  const end = (side: 'pickup' | 'dropoff') => (
    <Group title={t(`group.${side}`)}>
      {text(`${side}AptUnit`)}
      {text(`${side}Floor`, 'number', { min: -5, max: 80 })}
      {text(`${side}HasElevator`, 'number', { min: 0, max: 20 })}
      <NativeSelect
        label={name(`${side}Accessibility`)}
        value={form[`${side}Accessibility`]}
        onChange={(event) => onForm({ [`${side}Accessibility`]: event.currentTarget.value })}
        data={accessibilities.map((value) => ({ value, label: t(`domain:accessibility.${value}`) }))}
      />
      {flag(`${side}HasParking`)}
      <div className={classes['wide']}>{text(`${side}Details`)}</div>
    </Group>
  );
  return (
    <>
      <Group title={t('group.when')}>
        {text('date', 'date')}
        {text('time', 'time', { step: 1800 })}
      </Group>
      <Group title={t('group.crew')}>
        {text('mateCount', 'number', { min: 1, max: 20 })}
        <div className={classes['flags']}>
          {flag('rideAlong')}
          {flag('clientAsMate')}
          {flag('justMates')}
        </div>
      </Group>
      {end('pickup')}
      {end('dropoff')}
      <Group title={t('group.words')}>
        <div className={classes['wide']}>
          <Textarea
            label={name('comments')}
            value={form.comments}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            onChange={(event) => onForm({ comments: event.currentTarget.value })}
          />
        </div>
        {text('discountCode')}
      </Group>
      <Group title={t('group.fee')}>
        <TextInput
          label={t('field.amount')}
          description={t('field.amountHelp')}
          inputMode="decimal"
          value={fee.amount}
          onChange={(event) => onFee({ amount: event.currentTarget.value })}
        />
        <div className={classes['flags']}>
          <CheckBox
            label={t('field.customersWish')}
            labelShown
            checked={fee.customersWish}
            onChange={(on) => onFee({ customersWish: on, ...(on ? {} : { waiveFee: false }) })}
          />
          <p className="pg-help">{t('field.customersWishHelp')}</p>
          <CheckBox
            label={t('field.waiveFee')}
            labelShown
            checked={fee.waiveFee}
            onChange={(on) => onFee({ waiveFee: on })}
          />
        </div>
      </Group>
    </>
  );
}
