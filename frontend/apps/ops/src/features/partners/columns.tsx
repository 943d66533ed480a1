import type { Partner } from '@portage/api';
import { formatName } from '@portage/i18n';
import type { Column } from '@portage/kit/desk/table';
import { useTranslation } from 'react-i18next';

import { Numbered } from '../../shell/catalogue/parts.tsx';
import { StateWord } from '../../shell/catalogue/state-word.tsx';

export const columnKeys = [
  { key: 'name', main: true },
  { key: 'contacts' },
  { key: 'rateName' },
  { key: 'terms', numeric: true },
  { key: 'state' },
] as const;

export function usePartnerColumns(): Column<Partner>[] {
  const { t } = useTranslation(['partners', 'shell']);
  const contacts = ({ contacts: [first, ...others] }: Partner) => {
    if (!first) return null;
    const name = formatName(first.name);
    return others.length > 0 ? t('contacts.more', { name, count: others.length }) : name;
  };
  const about: Record<(typeof columnKeys)[number]['key'], Omit<Column<Partner>, 'key'>> = {
    name: { title: t('col.partner'), cell: (row) => <Numbered number={row.partnerID}>{row.name}</Numbered> },
    contacts: { title: t('col.contacts'), cell: contacts },
    rateName: {
      title: t('col.rateName'),
      cell: (row) => row.rateName ?? <span className="pg-muted">{t('card.own')}</span>,
    },
    terms: { title: t('col.terms'), cell: (row) => t('days', { count: row.netDays }) },
    state: { title: t('shell:col.state'), cell: (row) => <StateWord state={row.state} /> },
  };
  return columnKeys.map((column) => ({ ...column, ...about[column.key] }));
}
