import { type Mate, mateStates } from '@portage/api';
import { languageOrder } from '@portage/frame';
import { SelectField, TextField } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { AddressFields, useAddressLabels } from '../../shell/catalogue/address-fields.tsx';
import { ChipsField } from '../../shell/catalogue/chips-field.tsx';
import { usePaperKinds } from '../../shell/catalogue/paper-kinds.ts';
import { Group, RecordForm, Wide } from '../../shell/catalogue/record-form.tsx';
import { RowsField } from '../../shell/catalogue/rows-field.tsx';
import type { Catalogue } from '../../shell/catalogue/use-catalogue.ts';
import { useRecordForm } from '../../shell/catalogue/use-record-form.tsx';
import { useHubOptions } from '../../shell/hubs.ts';
import { PaperFields, usePaperLabels } from './paper-fields.tsx';
import { addMate, changeMate, matesKey, readMate } from './queries.ts';
import { blankPaper, bodyOf, formOf, mateSchema, type MateValues, mostPapers } from './values.ts';
import { useSkills } from './words.ts';

function useLabels() {
  const { t } = useTranslation(['mates', 'person', 'shell', 'catalogue']);
  const address = useAddressLabels();
  const papers = usePaperLabels();
  const own = {
    name: t('field.name'),
    phone: t('person:phone'),
    email: t('person:email'),
    address: t('group.address'),
    neq: t('catalogue:number.neq'),
    tps: t('catalogue:number.tps'),
    tvq: t('catalogue:number.tvq'),
    skills: t('col.skills'),
    languages: t('col.languages'),
    hubs: t('col.hubs'),
    documents: t('col.papers'),
    payRate: t('field.payRate'),
    state: t('shell:col.state'),
  } satisfies Record<keyof MateValues, string>;
  return { ...own, ...address('address'), ...papers };
}

/** Adds a mate, or writes one anew. */
export function MateEditor({ record, list }: { record: Mate | null; list: Catalogue }) {
  const { t } = useTranslation(['mates', 'common', 'shell', 'catalogue']);
  const labels = useLabels();
  const skills = useSkills();
  const hubs = useHubOptions();
  const kinds = usePaperKinds();
  const form = useRecordForm<MateValues, Mate>({
    list,
    schema: mateSchema,
    labels,
    record,
    toForm: (mate) => formOf(mate, kinds.label),
    add: (values, key) => addMate(bodyOf(values, kinds.valueOf), key),
    change: (values, base) => changeMate(base, bodyOf(values, kinds.valueOf)),
    read: readMate,
    queryKey: matesKey,
    fieldsOf: ({ code, detail, fieldErrors }) =>
      code === 'member_exists'
        ? [{ field: 'email', message: detail }]
        : code === 'mate_has_jobs'
          ? [{ field: 'state', message: detail }]
          : fieldErrors,
  });
  const { control } = form.shell.form;
  const text = (name: 'name' | 'phone' | 'email' | 'neq' | 'tps' | 'tvq' | 'payRate', more: object = {}) => (
    // the browser would fill in the colleague's own
    <TextField control={control} name={name} label={labels[name]} autoComplete="off" {...more} />
  );
  return (
    <RecordForm form={form} list={list}>
      <Group title={t('group.person')}>
        {text('name')}
        {text('phone', { type: 'tel', optional: true })}
        {text('email', { type: 'email', optional: true, description: t('email.help') })}
      </Group>
      <Group title={t('group.can')}>
        <Wide>
          <ChipsField
            control={control}
            name="skills"
            label={labels.skills}
            help={t('skills.help')}
            options={skills.options}
            other={{ label: t('skills.other'), valueOf: skills.valueOf }}
          />
        </Wide>
        <Wide>
          <ChipsField
            control={control}
            name="languages"
            label={labels.languages}
            options={languageOrder.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
          />
        </Wide>
        <Wide>
          <ChipsField control={control} name="hubs" label={labels.hubs} help={t('hubs.help')} options={hubs} />
        </Wide>
      </Group>
      <Group title={t('col.papers')}>
        <Wide>
          <RowsField
            form={form.shell.form}
            name="documents"
            rowName={(number) => t('paper.row', { number })}
            addLabel={t('paper.add')}
            empty={t('paper.none')}
            blank={blankPaper}
            most={mostPapers}
          >
            {(path) => <PaperFields control={control} path={path} />}
          </RowsField>
        </Wide>
      </Group>
      <Group title={t('group.address')}>
        <Wide>
          <p className="pg-help">{t('address.help')}</p>
        </Wide>
        <AddressFields control={control} path="address" />
      </Group>
      <Group title={t('group.registration')}>
        {text('neq', { optional: true, description: t('catalogue:number.neq.help') })}
        {text('tps', { optional: true, description: t('catalogue:number.tps.help') })}
        {text('tvq', { optional: true, description: t('catalogue:number.tvq.help') })}
      </Group>
      <Group title={t('group.state')}>
        {text('payRate', { optional: true, inputMode: 'decimal' })}
        <SelectField
          control={control}
          name="state"
          label={labels.state}
          description={t('state.help')}
          data={mateStates.map((value) => ({ value, label: t(`catalogue:state.${value}`) }))}
        />
      </Group>
    </RecordForm>
  );
}
