import { asProblem, type DiscountCode } from '@portage/api';
import { type Filter, FilterBar } from '@portage/kit/desk/filters';
import { DeskButton } from '@portage/kit/desk/button';
import { NothingYet } from '@portage/kit/desk/states';
import { DataTable } from '@portage/kit/desk/table';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { CatalogueDrawer } from '../../shell/catalogue/catalogue-drawer.tsx';
import { CatalogueHead, recordLink } from '../../shell/catalogue/catalogue-page.tsx';
import { pageSizes, useCatalogue, useLiveCatalogue } from '../../shell/catalogue/use-catalogue.ts';
import { deskToday } from '../../shell/company.ts';
import { columnKeys, useDiscountColumns } from './columns.tsx';
import { DiscountForm } from './form.tsx';
import { discountQuery, discountsKey, listQuery } from './queries.ts';
import { DiscountView } from './record.tsx';
import { RemoveDiscount } from './remove.tsx';

const file = { name: 'discounts', queryKey: discountsKey } as const;
const nameOf = ({ code }: DiscountCode) => code;

/** The discount codes; the open one stands beside them. */
function DiscountsPage() {
  const { t } = useTranslation(['discounts', 'shell', 'catalogue']);
  const filters: Filter[] = [{ kind: 'text', key: 'q', label: t('search'), placeholder: t('search.placeholder') }];
  const list = useCatalogue({ filters, columns: columnKeys });
  const columns = useDiscountColumns();
  const { state } = list;
  const codes = useQuery(listQuery(list.text('q'), state.page, state.perPage));
  useLiveCatalogue('discount', discountsKey);
  const rows = codes.data?.data ?? [];
  return (
    <>
      <CatalogueHead title={t('shell:area.discounts')} lead={t('lead')} addLabel={t('add')} list={list} file={file} />
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
        total={codes.data?.total ?? 0}
        pageSizes={pageSizes}
        status={codes.isPending ? 'loading' : codes.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          codes.isError
            ? { title: t('failed'), failure: asProblem(codes.error), onRetry: () => void codes.refetch() }
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
        query={discountQuery}
        name={nameOf}
        addTitle={t('add')}
        failed={t('failed.one')}
        View={DiscountView}
        Form={DiscountForm}
        Actions={RemoveDiscount}
      />
    </>
  );
}

export const Route = createLazyRoute('/desk/discounts')({ component: DiscountsPage });
