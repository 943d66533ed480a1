import { type DiscountCode, moveKinds } from '@portage/api';
import { useProvinceChoices } from '@portage/domain';
import { useWatch } from '@portage/forms';
import { CheckboxField, SelectField, TextField } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { ChipsField } from '../../shell/catalogue/chips-field.tsx';
import { Group, RecordForm, Wide } from '../../shell/catalogue/record-form.tsx';
import type { Catalogue } from '../../shell/catalogue/use-catalogue.ts';
import { useRecordForm } from '../../shell/catalogue/use-record-form.tsx';
import { addDiscount, changeDiscount, discountsKey, readDiscount } from './queries.ts';
import { bodyOf, discountSchema, type DiscountValues, formOf } from './values.ts';

function useLabels(): Record<keyof DiscountValues, string> {
  const { t } = useTranslation('discounts');
  return {
    code: t('col.code'),
    kind: t('field.kind'),
    value: t('field.value'),
    maxAmount: t('field.maxAmount'),
    validFrom: t('field.validFrom'),
    validUntil: t('field.validUntil'),
    bookableFrom: t('field.bookableFrom'),
    bookableUntil: t('field.bookableUntil'),
    provinces: t('field.provinces'),
    kinds: t('field.kinds'),
    maxUses: t('field.maxUses'),
    maxUsesPerCustomer: t('field.maxUsesPerCustomer'),
    firstBookingOnly: t('field.firstBookingOnly'),
    disabled: t('field.disabled'),
  };
}

/** Adds a code, or changes what one takes off, when and for whom. */
export function DiscountForm({ record, list }: { record: DiscountCode | null; list: Catalogue }) {
  const { t } = useTranslation(['discounts', 'domain']);
  const labels = useLabels();
  const provinces = useProvinceChoices();
  const form = useRecordForm<DiscountValues, DiscountCode>({
    list,
    schema: discountSchema,
    labels,
    record,
    toForm: formOf,
    add: (values, key) => addDiscount(bodyOf(values), key),
    change: (values, base) => changeDiscount(base, bodyOf(values)),
    read: readDiscount,
    queryKey: discountsKey,
    fieldsOf: ({ code, detail, fieldErrors }) =>
      code === 'discount_code_taken' ? [{ field: 'code', message: detail }] : fieldErrors,
  });
  const { control } = form.shell.form;
  const kind = useWatch({ control, name: 'kind' });
  const text = (name: keyof DiscountValues, more: object = {}) => (
    <TextField control={control} name={name} label={labels[name]} autoComplete="off" {...more} />
  );
  const dayField = (name: keyof DiscountValues, optional = false) => text(name, { type: 'date', optional });
  return (
    <RecordForm form={form} list={list}>
      <Group title={t('group.off')}>
        {text('code', {
          description: t(record ? 'code.stays' : 'code.help'),
          readOnly: record !== null,
          spellCheck: false,
        })}
        <SelectField
          control={control}
          name="kind"
          label={labels.kind}
          data={(['percent', 'fixed'] as const).map((one) => ({ value: one, label: t(`kind.${one}`) }))}
        />
        {text('value', {
          inputMode: 'decimal',
          description: t(kind === 'percent' ? 'value.percent' : 'value.dollars'),
        })}
        {kind === 'percent' ? text('maxAmount', { inputMode: 'decimal', optional: true }) : null}
      </Group>
      <Group title={t('group.days')}>
        {dayField('validFrom')}
        {dayField('validUntil')}
        {dayField('bookableFrom', true)}
        {dayField('bookableUntil', true)}
      </Group>
      <Group title={t('group.where')}>
        <Wide>
          <ChipsField
            control={control}
            name="provinces"
            label={labels.provinces}
            help={t('provinces.help')}
            options={provinces}
          />
        </Wide>
        <Wide>
          <ChipsField
            control={control}
            name="kinds"
            label={labels.kinds}
            help={t('kinds.help')}
            options={moveKinds.map((one) => ({ value: one, label: t(`domain:moveKind.${one}`) }))}
          />
        </Wide>
      </Group>
      <Group title={t('group.limits')}>
        {text('maxUses', { inputMode: 'numeric', description: t('limit.help') })}
        {text('maxUsesPerCustomer', { inputMode: 'numeric', description: t('limit.help') })}
        <Wide>
          <CheckboxField control={control} name="firstBookingOnly" label={labels.firstBookingOnly} />
        </Wide>
        <Wide>
          <CheckboxField control={control} name="disabled" label={labels.disabled} />
        </Wide>
      </Group>
    </RecordForm>
  );
}
