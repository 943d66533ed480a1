import { type Truck, type TruckForm as TruckBody, truckSizes, truckStates } from '@portage/api';
import { SelectField, TextField } from '@portage/kit';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { Group, RecordForm } from '../../shell/catalogue/record-form.tsx';
import type { Catalogue } from '../../shell/catalogue/use-catalogue.ts';
import { useRecordForm } from '../../shell/catalogue/use-record-form.tsx';
import { HubsAwaited } from '../../shell/hub-select.tsx';
import { useHubOptions, useHubs } from '../../shell/hubs.ts';
import { addTruck, changeTruck, readTruck, trucksKey } from './queries.ts';
import { useSizeText } from './size.ts';

const tooLong = 'person:tooLong';
/** What staff write down about a truck. Messages are text keys. */
const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'common:form.required'), z.maxLength(40, tooLong)),
  size: z.enum(truckSizes as [Truck['size'], ...Truck['size'][]]),
  hub: z.string(),
  plate: z.string().check(z.trim(), z.maxLength(40, tooLong)),
  inspectedUntil: z.string(),
  insuredUntil: z.string(),
  state: z.enum(truckStates as [Truck['state'], ...Truck['state'][]]),
});
type Values = z.infer<typeof schema>;

function formOf(truck: Truck | null, usual: string): Values {
  return {
    name: truck?.name ?? '',
    size: truck?.size ?? '20ft',
    hub: truck?.hub ?? usual,
    plate: truck?.plate ?? '',
    inspectedUntil: truck?.inspectedUntil ?? '',
    insuredUntil: truck?.insuredUntil ?? '',
    state: truck?.state ?? 'active',
  };
}

function bodyOf(values: Values): TruckBody {
  return {
    ...values,
    inspectedUntil: values.inspectedUntil || null,
    insuredUntil: values.insuredUntil || null,
  };
}

interface EditorProps {
  record: Truck | null;
  list: Catalogue;
}

/** Adds a truck, or writes one anew. */
export function TruckEditor({ record, list }: EditorProps) {
  const [first] = useHubs();
  const usual = record?.hub ?? first?.id;
  return usual === undefined ? <HubsAwaited /> : <TruckFields record={record} list={list} usual={usual} />;
}

/** `usual` is the hub of a new one until somebody chooses another. */
function TruckFields({ record, list, usual }: EditorProps & { usual: string }) {
  const hubs = useHubOptions(usual);
  const { t } = useTranslation(['trucks', 'shell', 'catalogue']);
  const size = useSizeText();
  const labels: Record<keyof Values, string> = {
    name: t('field.name'),
    size: t('field.size'),
    hub: t('shell:hub.label'),
    plate: t('field.plate'),
    inspectedUntil: t('field.inspectedUntil'),
    insuredUntil: t('field.insuredUntil'),
    state: t('shell:col.state'),
  };
  const form = useRecordForm<Values, Truck>({
    list,
    schema,
    labels,
    record,
    toForm: (truck) => formOf(truck, usual),
    add: (values, key) => addTruck(bodyOf(values), key),
    change: (values, base) => changeTruck(base, bodyOf(values)),
    read: readTruck,
    queryKey: trucksKey,
    fieldsOf: ({ code, detail, fieldErrors }) =>
      code === 'truck_name_taken' ? [{ field: 'name', message: detail }] : fieldErrors,
  });
  const { control } = form.shell.form;
  const text = (name: 'name' | 'plate' | 'inspectedUntil' | 'insuredUntil', more: object = {}) => (
    <TextField control={control} name={name} label={labels[name]} autoComplete="off" {...more} />
  );
  const select = (name: 'size' | 'hub' | 'state', data: { value: string; label: string }[]) => (
    <SelectField control={control} name={name} label={labels[name]} data={data} />
  );
  return (
    <RecordForm form={form} list={list}>
      <Group title={t('group.truck')}>
        {text('name', { description: t('field.name.help') })}
        {text('plate', { optional: true, autoCapitalize: 'characters', spellCheck: false })}
        {select(
          'size',
          truckSizes.map((value) => ({ value, label: size(value) })),
        )}
        {select('hub', hubs)}
        {select(
          'state',
          truckStates.map((value) => ({ value, label: t(`catalogue:state.${value}`) })),
        )}
      </Group>
      <Group title={t('group.papers')}>
        {text('inspectedUntil', { type: 'date', optional: true })}
        {text('insuredUntil', { type: 'date', optional: true })}
      </Group>
    </RecordForm>
  );
}
