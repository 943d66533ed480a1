import { asProblem, type Mate, mateStates } from '@portage/api';
import { formatName } from '@portage/i18n';
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
import { columnKeys, useMateColumns } from './columns.tsx';
import { MateEditor } from './form.tsx';
import { listQuery, mateQuery, matesKey } from './queries.ts';
import { MateView } from './record.tsx';

const file = { name: 'mates', queryKey: matesKey } as const;
const nameOf = ({ name }: Mate) => formatName(name);

/** The mates by name; the open one stands beside them. */
function MatesPage() {
  const { t } = useTranslation(['mates', 'shell', 'catalogue']);
  const filters: Filter[] = [
    { kind: 'text', key: 'q', label: t('search'), placeholder: t('search.placeholder') },
    {
      kind: 'choice',
      key: 'state',
      label: t('shell:col.state'),
      one: true,
      options: mateStates.map((value) => ({ value, label: t(`catalogue:state.${value}`) })),
    },
  ];
  const list = useCatalogue({ filters, columns: columnKeys });
  const columns = useMateColumns();
  const { state } = list;
  const mates = useQuery(listQuery(list.text('q'), list.choice('state', mateStates), state.page, state.perPage));
  useLiveCatalogue('mate', matesKey);
  const rows = mates.data?.data ?? [];
  return (
    <>
      <CatalogueHead title={t('shell:area.mates')} lead={t('lead')} addLabel={t('add')} list={list} file={file} />
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
        total={mates.data?.total ?? 0}
        pageSizes={pageSizes}
        status={mates.isPending ? 'loading' : mates.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          mates.isError
            ? { title: t('failed'), failure: asProblem(mates.error), onRetry: () => void mates.refetch() }
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
        query={mateQuery}
        name={nameOf}
        number={(mate) => mate.mateID}
        addTitle={t('add')}
        failed={t('failed.one')}
        View={MateView}
        Form={MateEditor}
      />
    </>
  );
}

export const Route = createLazyRoute('/desk/mates')({ component: MatesPage });
