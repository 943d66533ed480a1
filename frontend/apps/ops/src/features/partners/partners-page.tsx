import { asProblem, type Partner, partnerStates } from '@portage/api';
import { DeskButton } from '@portage/kit/desk/button';
import { type Filter, FilterBar } from '@portage/kit/desk/filters';
import { NothingYet } from '@portage/kit/desk/states';
import { DataTable } from '@portage/kit/desk/table';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { CatalogueDrawer } from '../../shell/catalogue/catalogue-drawer.tsx';
import { CatalogueHead, recordLink } from '../../shell/catalogue/catalogue-page.tsx';
import { pageSizes, useCatalogue, useLiveCatalogue } from '../../shell/catalogue/use-catalogue.ts';
import { deskToday } from '../../shell/company.ts';
import { columnKeys, usePartnerColumns } from './columns.tsx';
import { PartnerEditor } from './form.tsx';
import { listQuery, partnerQuery, partnersKey } from './queries.ts';
import { PartnerView } from './record.tsx';

const file = { name: 'partners', queryKey: partnersKey } as const;
const nameOf = ({ name }: Partner) => name;

/** The partners by name; the open one stands beside them. */
function PartnersPage() {
  const { t } = useTranslation(['partners', 'shell', 'catalogue']);
  const filters: Filter[] = [
    { kind: 'text', key: 'q', label: t('search'), placeholder: t('search.placeholder') },
    {
      kind: 'choice',
      key: 'state',
      label: t('shell:col.state'),
      one: true,
      options: partnerStates.map((value) => ({ value, label: t(`catalogue:state.${value}`) })),
    },
  ];
  const list = useCatalogue({ filters, columns: columnKeys });
  const columns = usePartnerColumns();
  const { state } = list;
  const partners = useQuery(listQuery(list.text('q'), list.choice('state', partnerStates), state.page, state.perPage));
  useLiveCatalogue('partner', partnersKey);
  const rows = partners.data?.data ?? [];
  return (
    <>
      <CatalogueHead title={t('shell:area.partners')} lead={t('lead')} addLabel={t('add')} list={list} file={file} />
      <DataTable
        label={t('title.list')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        rowName={nameOf}
        renderLink={recordLink}
        openKey={list.open}
        state={state}
        onState={list.setState}
        tools={<FilterBar filters={filters} values={list.values} onChange={list.setFilters} today={deskToday()} />}
        total={partners.data?.total ?? 0}
        pageSizes={pageSizes}
        status={partners.isPending ? 'loading' : partners.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          partners.isError
            ? { title: t('failed'), failure: asProblem(partners.error), onRetry: () => void partners.refetch() }
            : null
        }
        empty={
          <NothingYet title={t('empty')} action={<DeskButton onClick={() => list.add()}>{t('add')}</DeskButton>}>
            {t('empty.help')}
          </NothingYet>
        }
        filtered={list.hasFilters ? { onClear: () => list.setFilters({}) } : null}
      />
      <CatalogueDrawer
        list={list}
        rows={rows}
        query={partnerQuery}
        name={nameOf}
        number={(partner) => partner.partnerID}
        addTitle={t('add')}
        failed={t('failed.one')}
        View={PartnerView}
        Form={PartnerEditor}
      />
    </>
  );
}

export const Route = createLazyRoute('/desk/partners')({ component: PartnersPage });
