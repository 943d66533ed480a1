import { asProblem, type Truck, truckStates } from '@portage/api';
import { DeskButton } from '@portage/kit/desk/button';
import { type Filter, FilterBar } from '@portage/kit/desk/filters';
import { Failed, NothingFound, NothingYet, Skeleton } from '@portage/kit/desk/states';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { CatalogueDrawer } from '../../shell/catalogue/catalogue-drawer.tsx';
import { CatalogueHead } from '../../shell/catalogue/catalogue-page.tsx';
import { useCatalogue, useLiveCatalogue } from '../../shell/catalogue/use-catalogue.ts';
import { deskToday } from '../../shell/company.ts';
import { useHubFilter } from '../../shell/hubs.ts';
import { ByHub } from './by-hub.tsx';
import { TruckEditor } from './form.tsx';
import { listQuery, truckQuery, trucksKey } from './queries.ts';
import { TruckView } from './record.tsx';

const file = { name: 'trucks', queryKey: trucksKey } as const;
const nameOf = ({ name }: Truck) => name;
const bare = (text: string) => text.toLocaleLowerCase().replaceAll(/[\s-]/g, '');

/** All trucks by the hub they stand at; the open one stands beside them. */
function TrucksPage() {
  const { t } = useTranslation(['trucks', 'shell', 'catalogue']);
  const hubs = useHubFilter();
  const filters: Filter[] = [
    { kind: 'text', key: 'q', label: t('search'), placeholder: t('search.placeholder') },
    {
      kind: 'choice',
      key: 'hub',
      label: t('shell:hub.label'),
      one: true,
      ...hubs,
    },
    {
      kind: 'choice',
      key: 'state',
      label: t('shell:col.state'),
      one: true,
      options: truckStates.map((value) => ({ value, label: t(`catalogue:state.${value}`) })),
    },
  ];
  const list = useCatalogue({ filters, columns: [] });
  const trucks = useQuery(listQuery);
  useLiveCatalogue('truck', trucksKey);
  const hubIds = hubs.options.map(({ value }) => value);
  const [text, hub, state] = [bare(list.text('q')), list.choice('hub', hubIds), list.choice('state', truckStates)];
  const all = trucks.data?.data ?? [];
  const rows = all.filter(
    (truck) =>
      [truck.name, truck.plate].some((words) => bare(words).includes(text)) &&
      (hub === undefined || truck.hub === hub) &&
      (state === undefined || truck.state === state),
  );
  return (
    <>
      <CatalogueHead title={t('shell:area.trucks')} lead={t('lead')} addLabel={t('add')} list={list} file={file} />
      <FilterBar
        filters={filters}
        values={list.values}
        onChange={list.setFilters}
        today={deskToday()}
        {...(trucks.data ? { results: t('count', { count: rows.length }) } : {})}
      />
      {trucks.isError ? (
        <Failed title={t('failed')} failure={asProblem(trucks.error)} onRetry={() => void trucks.refetch()} />
      ) : null}
      {trucks.isPending ? (
        <Skeleton label={t('shell:area.trucks')} rows={6} />
      ) : rows.length > 0 ? (
        <ByHub trucks={rows} open={list.open} />
      ) : trucks.isError ? null : all.length > 0 ? (
        <NothingFound onClear={() => list.setFilters({})} />
      ) : (
        <NothingYet title={t('empty')} action={<DeskButton onClick={() => list.add()}>{t('add')}</DeskButton>}>
          {t('empty.help')}
        </NothingYet>
      )}
      <CatalogueDrawer
        list={list}
        rows={rows}
        query={truckQuery}
        name={nameOf}
        addTitle={t('add')}
        failed={t('failed.one')}
        View={TruckView}
        Form={TruckEditor}
      />
    </>
  );
}

export const Route = createLazyRoute('/desk/trucks')({ component: TrucksPage });
