import { api, asProblem, type AuditEntry, unwrap } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { formatDateTime, useLanguage } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { daysOf } from '@portage/kit/desk/dates';
import { type Filter, FilterBar, filterCodec, type FilterValues } from '@portage/kit/desk/filters';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../../shell/company.ts';
import { leftOutOf } from '../../shell/left-out.ts';
import { LeftOutNotice } from '../../shell/left-out-notice.tsx';
import { Change } from './change.tsx';
import { useAuditWords } from './words.ts';

const sizes = [25, 50, 100];
const codec = tableCodec({
  columns: [{ key: 'at', main: true }, { key: 'actor' }, { key: 'action' }, { key: 'subject' }, { key: 'change' }],
  perPage: sizes,
});

/** Every change that somebody made, by person, record and day. */
function AuditPage() {
  const { t } = useTranslation(['audit', 'shell']);
  const language = useLanguage();
  const words = useAuditWords();
  const search = useSearch({ from: '/desk/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const today = deskToday();
  const filters: Filter[] = [
    { kind: 'text', key: 'booking', label: t('filter.subject'), placeholder: t('filter.subject') },
    { kind: 'choice', key: 'kind', label: t('filter.kind'), options: words.subjects, one: true },
    { kind: 'text', key: 'actor', label: t('filter.actor') },
    { kind: 'days', key: 'days', label: t('filter.days') },
  ];
  const inAddress = filterCodec(filters);
  const values = inAddress.read(search);
  const state = codec.read(search);
  const text = (key: string) => (values[key]?.kind === 'text' ? values[key].text : undefined);
  const kind = values['kind']?.kind === 'choice' ? values['kind'].values[0] : undefined;
  const booking = text('booking')?.replaceAll(/[\s-]/gu, '');
  const subject = booking ? `booking:${booking}` : kind;
  const actor = text('actor');
  const days = values['days']?.kind === 'days' ? daysOf(values['days'].range, today, language) : {};
  const query = {
    page: state.page,
    per_page: state.perPage,
    ...(actor ? { actor } : {}),
    ...(subject ? { subject } : {}),
    ...days,
  };
  const entries = useQuery({
    queryKey: ['desk', 'audit', query],
    queryFn: () => unwrap(api.GET('/audit', { params: { query } })),
    placeholderData: keepPreviousData,
    meta: { personal: true },
  });
  const setFilters = (next: FilterValues, typed = false) =>
    void navigate({ search: (before) => ({ ...before, ...inAddress.write(next), page: undefined }), replace: typed });
  const record = (one: AuditEntry) =>
    one.subjectKind === 'booking' || one.subjectNumber ? (
      <Link to="/bookings/$id" params={{ id: one.subjectId }}>
        {words.subject(one)}
      </Link>
    ) : (
      words.subject(one)
    );
  const change = (one: AuditEntry) => <Change entry={one} />;
  const columns: Column<AuditEntry>[] = [
    { key: 'at', title: t('col.at'), main: true, cell: (one) => formatDateTime(one.at, montrealZone, language) },
    { key: 'actor', title: t('col.actor'), cell: (one) => one.actor?.name ?? t('system') },
    { key: 'action', title: t('col.action'), cell: words.action },
    {
      key: 'subject',
      title: t('col.subject'),
      cell: record,
    },
    {
      key: 'change',
      title: t('col.change'),
      cell: change,
    },
  ];
  return (
    <>
      <PageHeading title={t('shell:area.audit')} lead={t('lead')} />
      <LeftOutNotice of={leftOutOf(search, inAddress)} />
      <DataTable
        label={t('shell:area.audit')}
        columns={columns}
        rows={entries.data?.data ?? []}
        rowKey={(one) => one.id}
        rowName={words.action}
        state={state}
        onState={(next) => void navigate({ search: (before) => ({ ...before, ...codec.write(next) }) })}
        tools={<FilterBar filters={filters} values={values} onChange={setFilters} today={today} />}
        total={entries.data?.total ?? 0}
        pageSizes={sizes}
        status={entries.isPending ? 'loading' : entries.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          entries.isError
            ? {
                title: t(asProblem(entries.error).status === 422 ? 'filterWrong' : 'failed'),
                failure: asProblem(entries.error),
                onRetry: () => void entries.refetch(),
              }
            : null
        }
        empty={<NothingYet title={t('empty')} />}
        filtered={Object.keys(values).length > 0 ? { onClear: () => setFilters({}) } : null}
      />
    </>
  );
}

export const Route = createLazyRoute('/desk/audit')({ component: AuditPage });
