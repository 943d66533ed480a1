import { Textarea, TextInput } from '@mantine/core';
import { CheckBox } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import classes from '../parts/form.module.css';
import { Group, useFieldName, useMoveFields } from '../parts/move-fields.tsx';
import type { MoveForm } from '../parts/move-form.ts';
import type { FeeForm } from './form.ts';

interface FieldsProps {
  form: MoveForm;
  onForm: (change: Partial<MoveForm>) => void;
  fee: FeeForm;
  onFee: (change: Partial<FeeForm>) => void;
}

/** The fields of a change, in the order in which a caller says them. */
export function Fields({ form, onForm, fee, onFee }: FieldsProps) {
  const { t } = useTranslation('change');
  const { text, flag, access } = useMoveFields({ form, onForm });
  const name = useFieldName();
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
      <Group title={t('group.pickup')}>{access('pickup')}</Group>
      <Group title={t('group.dropoff')}>{access('dropoff')}</Group>
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
