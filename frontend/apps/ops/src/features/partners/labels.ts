import { useTranslation } from 'react-i18next';

import { useAddressLabels } from '../../shell/catalogue/address-fields.tsx';
import { mostRows, type PartnerValues } from './values.ts';

/** The names of the fields, with those of every contact and address there may be, by their paths. */
export function usePartnerLabels() {
  const { t } = useTranslation(['partners', 'person', 'shell', 'catalogue']);
  const addressLabels = useAddressLabels();
  const own = {
    name: t('field.name'),
    rateName: t('col.rateName'),
    netDays: t('col.terms'),
    language: t('col.language'),
    state: t('shell:col.state'),
    contacts: t('col.contacts'),
    addresses: t('group.addresses'),
  } satisfies Record<keyof PartnerValues, string>;
  const rows = Array.from({ length: mostRows }, (_, index) => {
    const contact = t('contacts.row', { number: index + 1 });
    const address = t('addresses.row', { number: index + 1 });
    const of = (field: string, row: string) => t('catalogue:rows.of', { field, row });
    return {
      [`contacts.${index}.name`]: of(t('contacts.name'), contact),
      [`contacts.${index}.phone`]: of(t('person:phone'), contact),
      [`contacts.${index}.email`]: of(t('person:email'), contact),
      ...Object.fromEntries(
        Object.entries(addressLabels(`addresses.${index}`)).map(([path, field]) => [path, of(field, address)]),
      ),
    };
  });
  const all: typeof own & Record<string, string> = Object.assign({}, ...rows, own) as typeof own;
  return all;
}
