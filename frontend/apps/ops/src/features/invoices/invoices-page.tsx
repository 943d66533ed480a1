import { api, asProblem, type InvoiceRow, unwrap } from '@portage/api';
import { centsOf } from '@portage/domain';
import { dayIn, formatCalendarDate, useLanguage } from '@portage/i18n';
import { Money, Notice, PageHeading, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { daysOf } from '@portage/kit/desk/dates';
import { type Filter, FilterBar, filterCodec, type FilterValues } from '@portage/kit/desk/filters';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../../shell/company.ts';
import { leftOutOf } from '../../shell/left-out.ts';
import { LeftOutNotice } from '../../shell/left-out-notice.tsx';
import { saveFile } from '../../shell/save-file.ts';

const sizes = [25, 50, 100];
const codec = tableCodec({
  columns: [
    { key: 'number', main: true },
    { key: 'kind' },
    { key: 'state' },
    { key: 'buyer' },
    { key: 'booking' },
    { key: 'issued' },
    { key: 'due' },
    { key: 'total' },
    { key: 'open' },
  ],
  perPage: sizes,
});
const states = ['draft', 'issued', 'sent', 'overdue', 'paid', 'void', 'deleted'] as const;
const kinds = ['move', 'cancellation', 'batch', 'credit_note'] as const;

/** What the filters say, as the API has it. */
function useAsked(values: FilterValues) {
  const language = useLanguage();
  const text = values['value']?.kind === 'text' ? values['value'].text : undefined;
  const codes = (key: string) => {
    const value = values[key];
    return value?.kind === 'choice' ? value.values.join(',') : undefined;
  };
  const chosen = { value: text, states: codes('state'), purposes: codes('kind') };
  const days = values['days']?.kind === 'days' ? daysOf(values['days'].range, deskToday(), language) : {};
  const said = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value));
  return { ...said, ...days } as { value?: string; states?: string; purposes?: string; from?: string; to?: string };
}

/** Every invoice and credit note, to be found, opened with its booking, and taken along. */
function InvoicesPage() {
  const { t } = useTranslation(['invoices', 'papers', 'shell']);
  const language = useLanguage();
  const search = useSearch({ from: '/desk/invoices' });
  const navigate = useNavigate({ from: '/invoices' });
  const today = deskToday();
  const filters: Filter[] = [
    { kind: 'text', key: 'value', label: t('filter.value'), placeholder: t('filter.value') },
    {
      kind: 'choice',
      key: 'state',
      label: t('shell:col.state'),
      options: states.map((value) => ({ value, label: t(`papers:state.${value}`) })),
    },
    {
      kind: 'choice',
      key: 'kind',
      label: t('col.kind'),
      options: kinds.map((value) => ({ value, label: t(`papers:kind.${value}`) })),
    },
    { kind: 'days', key: 'days', label: t('col.issued') },
  ];
  const inAddress = filterCodec(filters);
  const values = inAddress.read(search);
  const state = codec.read(search);
  const asked = useAsked(values);
  const query = { page: state.page, per_page: state.perPage, ...asked };
  const invoices = useQuery({
    queryKey: ['desk', 'invoices', query],
    queryFn: () => unwrap(api.GET('/invoices', { params: { query } })),
    placeholderData: keepPreviousData,
    meta: { personal: true },
  });
  const file = useMutation({
    mutationFn: () => unwrap(api.GET('/invoices/export', { params: { query: asked }, parseAs: 'blob' })),
    onSuccess: (made) => saveFile(made, `invoices-${today}.csv`),
  });
  const setFilters = (next: FilterValues, typed = false) =>
    void navigate({ search: (before) => ({ ...before, ...inAddress.write(next), page: undefined }), replace: typed });
  const on = (one: InvoiceRow, instant: string | null | undefined) =>
    instant
      ? formatCalendarDate(dayIn(one.zone, new Date(instant)), language, {
          year: 'numeric',
          month: 'short',
          day: 'numeric',
        })
      : '';
  const number = (one: InvoiceRow) => {
    const name = one.number ?? t('papers:state.draft');
    // a partner's paper has a page of its own, a booking's is part of the record
    return one.bookingId ? (
      <Link to="/bookings/$id" params={{ id: one.bookingId }}>
        {name}
      </Link>
    ) : (
      <Link to="/invoices/batch/$id" params={{ id: one.id }}>
        {name}
      </Link>
    );
  };
  // as in the file for the accountant: what a credit note gives back is below zero
  const total = (one: InvoiceRow) => <Money value={one.purpose === 'credit_note' ? `-${one.total}` : one.total} />;
  const owed = (one: InvoiceRow) => (centsOf(one.due) > 0 ? <Money value={one.due} /> : '');
  const buyer = (one: InvoiceRow) => <span title={one.buyer}>{one.buyer}</span>;
  const columns: Column<InvoiceRow>[] = [
    {
      key: 'number',
      title: t('col.number'),
      main: true,
      cell: number,
    },
    { key: 'kind', title: t('col.kind'), cell: (one) => t(`papers:kind.${one.purpose}`) },
    {
      key: 'state',
      title: t('shell:col.state'),
      cell: (one) => (one.daysLate > 0 ? t('late', { count: one.daysLate }) : t(`papers:state.${one.state}`)),
    },
    {
      key: 'buyer',
      title: t('papers:buyer'),
      width: '120px',
      share: 100,
      cell: buyer,
    },
    { key: 'booking', title: t('col.booking'), cell: (one) => one.shortId },
    { key: 'issued', title: t('col.issued'), cell: (one) => on(one, one.issuedAt) },
    { key: 'due', title: t('col.due'), cell: (one) => (centsOf(one.due) > 0 ? on(one, one.dueAt) : '') },
    { key: 'total', title: t('col.total'), numeric: true, cell: total },
    { key: 'open', title: t('papers:due'), numeric: true, cell: owed },
  ];
  return (
    <>
      <PageHeading title={t('shell:area.invoices')} lead={t('lead')} />
      <LeftOutNotice of={leftOutOf(search, inAddress)} />
      {file.isError ? (
        <Notice tone="error" live led title={t('csvFailed')} onDismiss={file.reset}>
          <Reason failure={asProblem(file.error)} />
        </Notice>
      ) : null}
      <DataTable
        label={t('shell:area.invoices')}
        columns={columns}
        rows={invoices.data?.data ?? []}
        rowKey={(one) => one.id}
        rowName={(one) => one.number ?? one.shortId}
        state={state}
        onState={(next) => void navigate({ search: (before) => ({ ...before, ...codec.write(next) }) })}
        tools={
          <>
            <FilterBar filters={filters} values={values} onChange={setFilters} today={today} />
            <DeskButton
              icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
              aria-label={t('csvLabel')}
              title={t('csvLabel')}
              busy={file.isPending}
              onClick={() => file.mutate()}
            >
              {t('csv')}
            </DeskButton>
          </>
        }
        total={invoices.data?.total ?? 0}
        pageSizes={sizes}
        status={invoices.isPending ? 'loading' : invoices.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          invoices.isError
            ? {
                title: t('failed'),
                failure: asProblem(invoices.error),
                onRetry: () => void invoices.refetch(),
              }
            : null
        }
        empty={<NothingYet title={t('empty')} />}
        filtered={Object.keys(values).length > 0 ? { onClear: () => setFilters({}) } : null}
      />
    </>
  );
}

export const Route = createLazyRoute('/desk/invoices')({ component: InvoicesPage });
