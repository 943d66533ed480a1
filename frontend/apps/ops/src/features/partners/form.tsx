import { type Partner, partnerStates } from '@portage/api';
import type { FieldPath } from '@portage/forms';
import { languageOrder } from '@portage/frame';
import { SelectField, TextField } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { AddressFields, blankAddress } from '../../shell/catalogue/address-fields.tsx';
import { Group, RecordForm, Wide } from '../../shell/catalogue/record-form.tsx';
import { RowsField } from '../../shell/catalogue/rows-field.tsx';
import type { Catalogue } from '../../shell/catalogue/use-catalogue.ts';
import { useRecordForm } from '../../shell/catalogue/use-record-form.tsx';
import { usePartnerLabels } from './labels.ts';
import { addPartner, changePartner, partnersKey, readPartner } from './queries.ts';
import { blankContact, bodyOf, formOf, mostRows, partnerSchema, type PartnerValues } from './values.ts';

/** Adds a partner, or writes one anew. */
export function PartnerEditor({ record, list }: { record: Partner | null; list: Catalogue }) {
  const { t } = useTranslation(['partners', 'person', 'catalogue', 'common']);
  const labels = usePartnerLabels();
  const form = useRecordForm<PartnerValues, Partner>({
    list,
    schema: partnerSchema,
    labels,
    record,
    toForm: formOf,
    add: (values, key) => addPartner(bodyOf(values), key),
    change: (values, base) => changePartner(base, bodyOf(values)),
    read: readPartner,
    queryKey: partnersKey,
  });
  const { control } = form.shell.form;
  const text = (name: string, label: string, more: object = {}) => (
    // the browser would fill in the colleague's own
    <TextField control={control} name={name as FieldPath<PartnerValues>} label={label} autoComplete="off" {...more} />
  );
  return (
    <RecordForm form={form} list={list}>
      <Group title={t('group.partner')}>
        {text('name', labels.name)}
        {text('rateName', labels.rateName, { optional: true, description: t('card.help') })}
        {text('netDays', labels.netDays, { inputMode: 'numeric', description: t('days.help') })}
        <SelectField
          control={control}
          name="language"
          label={labels.language}
          data={languageOrder.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
        />
        <SelectField
          control={control}
          name="state"
          label={labels.state}
          data={partnerStates.map((value) => ({ value, label: t(`catalogue:state.${value}`) }))}
        />
      </Group>
      <Group title={t('col.contacts')}>
        <Wide>
          <RowsField
            form={form.shell.form}
            name="contacts"
            rowName={(number) => t('contacts.row', { number })}
            addLabel={t('contacts.add')}
            empty={t('contacts.none')}
            blank={blankContact}
            most={mostRows}
          >
            {(path) => (
              <>
                {text(`${path}.name`, t('contacts.name'))}
                {text(`${path}.phone`, t('person:phone'), { type: 'tel', optional: true })}
                {text(`${path}.email`, t('person:email'), { type: 'email', optional: true })}
              </>
            )}
          </RowsField>
        </Wide>
      </Group>
      <Group title={t('group.addresses')}>
        <Wide>
          <p className="pg-help">{t('group.addressesHelp')}</p>
          <RowsField
            form={form.shell.form}
            name="addresses"
            rowName={(number) => t('addresses.row', { number })}
            addLabel={t('addresses.add')}
            empty={t('addresses.none')}
            blank={blankAddress}
            most={mostRows}
          >
            {(path) => <AddressFields control={control} path={path} />}
          </RowsField>
        </Wide>
      </Group>
    </RecordForm>
  );
}
