import { NativeSelect } from '@mantine/core';
import { asProblem, type QuoteRequestEntry, quoteRequestStates } from '@portage/api';
import { cityName, montrealZone } from '@portage/domain';
import { formatCalendarDate, formatDateTime, formatList, useLanguage } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { CheckBox } from '@portage/kit/desk/button';
import { type Filter, filterCodec, SearchBox } from '@portage/kit/desk/filters';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { leftOutOf } from '../../shell/left-out.ts';
import { LeftOutNotice } from '../../shell/left-out-notice.tsx';
import { listQuery } from './queries.ts';
import classes from './requests.module.css';

const codec = tableCodec({
  columns: [
    { key: 'name', main: true },
    { key: 'state' },
    { key: 'route' },
    { key: 'date' },
    { key: 'why' },
    { key: 'callAt' },
    { key: 'takenBy' },
    { key: 'made' },
  ],
});

/** Who could not book online and asks a person, the newest first. */
function RequestsPage() {
  const { t } = useTranslation(['requests', 'shell']);
  const language = useLanguage();
  const search = useSearch({ from: '/desk/quote-requests' }) as Record<string, unknown>;
  const navigate = useNavigate({ from: '/quote-requests' });
  const table = codec.read(search);
  const states = quoteRequestStates.map((one) => ({ value: one, label: t(`state.${one}`) }));
  const filters: Filter[] = [
    { kind: 'text', key: 'value', label: t('search') },
    { kind: 'choice', key: 'state', label: t('col.state'), one: true, options: states },
  ];
  const inAddress = filterCodec(filters);
  const values = inAddress.read(search);
  const chosen = values['state']?.kind === 'choice' ? values['state'].values[0] : undefined;
  const state = quoteRequestStates.find((one) => one === chosen) ?? null;
  const mine = search['mine'] === true;
  const value = values['value']?.kind === 'text' ? values['value'].text : '';
  const change = (next: Record<string, unknown>) =>
    void navigate({ search: ((before: Record<string, unknown>) => ({ ...before, ...next })) as never });
  const list = useQuery(listQuery({ page: table.page, perPage: table.perPage, state, mine, value }));
  const town = (name: string) => (name === '' ? t('unknown') : cityName(name, language));
  const opener = ({ id, name }: QuoteRequestEntry) => (
    <Link to="/quote-requests/$id" params={{ id }} title={name} className={classes['name'] ?? ''}>
      {name}
    </Link>
  );
  // what is cut for want of room is said in full where the pointer rests
  const whole = (text: string) => <span title={text}>{text}</span>;
  const route = (one: QuoteRequestEntry) => whole(`${town(one.from)} → ${town(one.to)}`);
  const why = (one: QuoteRequestEntry) =>
    whole(
      formatList(
        one.obstacles.map((reason) => t(`why.${reason}`)),
        language,
      ),
    );
  const columns: Column<QuoteRequestEntry>[] = [
    {
      key: 'name',
      title: t('col.name'),
      main: true,
      width: '110px',
      share: 22,
      cell: opener,
    },
    { key: 'state', title: t('col.state'), cell: (one) => t(`state.${one.state}`) },
    { key: 'route', title: t('col.route'), width: '165px', share: 44, cell: route },
    {
      key: 'date',
      title: t('col.date'),
      cell: (one) => (one.date ? formatCalendarDate(one.date, language, { dateStyle: 'medium' }) : t('unknown')),
    },
    { key: 'why', title: t('col.why'), width: '90px', share: 34, cell: why },
    { key: 'callAt', title: t('col.callAt'), cell: (one) => (one.phone ? t(`callAt.${one.callAt}`) : null) },
    { key: 'takenBy', title: t('col.takenBy'), yields: true, cell: (one) => one.takenBy ?? t('nobody') },
    { key: 'made', title: t('col.made'), cell: (one) => formatDateTime(one.madeAt, montrealZone, language) },
  ];
  return (
    <>
      <PageHeading title={t('shell:area.requests')} lead={t('lead')} />
      <LeftOutNotice of={leftOutOf(search, inAddress, mine ? ['mine'] : [])} />
      <div className={classes['filters']}>
        <SearchBox
          label={t('search')}
          placeholder={t('search')}
          value={value}
          slash
          onSearch={(text) => change({ value: text || undefined, page: undefined })}
        />
        <NativeSelect
          aria-label={t('col.state')}
          value={state ?? ''}
          onChange={(event) => change({ state: event.currentTarget.value || undefined, page: undefined })}
          data={[{ value: '', label: t('state.all') }, ...states]}
        />
        <CheckBox
          label={t('mine')}
          labelShown
          checked={mine}
          onChange={(on) => change({ mine: on || undefined, page: undefined })}
        />
      </div>
      <DataTable
        label={t('shell:area.requests')}
        columns={columns}
        rows={list.data?.data ?? []}
        rowKey={(one) => one.id}
        rowName={(one) => one.name}
        total={list.data?.total ?? 0}
        state={table}
        onState={(next) => change(codec.write(next))}
        status={list.isPending ? 'loading' : list.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          list.isError
            ? { title: t('failed'), failure: asProblem(list.error), onRetry: () => void list.refetch() }
            : null
        }
        empty={<NothingYet title={t('empty')}>{t('emptyHelp')}</NothingYet>}
        filtered={
          Object.keys(values).length > 0 || mine
            ? { onClear: () => change({ ...inAddress.write({}), mine: undefined, page: undefined }) }
            : null
        }
      />
    </>
  );
}

export const Route = createLazyRoute('/desk/quote-requests')({ component: RequestsPage });
