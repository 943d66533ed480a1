import { NativeSelect } from '@mantine/core';
import { asProblem, messageChannels, messageStandings, type OutboxEntry } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { formatDateTime, useLanguage } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { type Filter, filterCodec, SearchBox } from '@portage/kit/desk/filters';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { leftOutOf } from '../../shell/left-out.ts';
import { LeftOutNotice } from '../../shell/left-out-notice.tsx';
import { useTrouble, useTypeName } from '../../shell/messages/type-name.ts';
import { MessageDrawer } from './message-drawer.tsx';
import classes from './outbox.module.css';
import { listQuery } from './queries.ts';

const codec = tableCodec({
  columns: [
    { key: 'subject', main: true },
    { key: 'type', offAtFirst: true },
    { key: 'channel' },
    { key: 'recipient' },
    { key: 'booking' },
    { key: 'standing' },
    { key: 'made' },
    { key: 'tries', offAtFirst: true },
    { key: 'segments', offAtFirst: true },
    { key: 'error' },
  ],
});

/** Every message to somebody, the newest first. */
function MessagesPage() {
  const { t } = useTranslation(['outbox', 'shell']);
  const language = useLanguage();
  const nameOf = useTypeName();
  const troubleOf = useTrouble();
  const search = useSearch({ from: '/desk/messages' }) as Record<string, unknown>;
  const navigate = useNavigate({ from: '/messages' });
  const state = codec.read(search);
  const channels = messageChannels.map((one) => ({ value: one, label: t(`channel.${one}`) }));
  const standings = messageStandings.map((one) => ({ value: one, label: t(`standing.${one}`) }));
  const filters: Filter[] = [
    { kind: 'text', key: 'value', label: t('search') },
    { kind: 'choice', key: 'channel', label: t('col.channel'), one: true, options: channels },
    { kind: 'choice', key: 'standing', label: t('col.standing'), one: true, options: standings },
  ];
  const inAddress = filterCodec(filters);
  const values = inAddress.read(search);
  const chosen = (key: string) => (values[key]?.kind === 'choice' ? values[key].values[0] : undefined);
  const standing = messageStandings.find((one) => one === chosen('standing')) ?? null;
  const channel = messageChannels.find((one) => one === chosen('channel')) ?? null;
  const value = values['value']?.kind === 'text' ? values['value'].text : '';
  const report = typeof search['report'] === 'string' ? search['report'] : null;
  const open = typeof search['open'] === 'string' ? search['open'] : null;
  const change = (next: Record<string, unknown>) =>
    void navigate({ search: ((before: Record<string, unknown>) => ({ ...before, ...next })) as never });
  const list = useQuery(listQuery({ page: state.page, perPage: state.perPage, standing, channel, value, report }));
  const subject = (one: OutboxEntry) => one.subject ?? nameOf(one.messageType);
  const opener = (one: OutboxEntry) => <OpenButton name={subject(one)} onOpen={() => change({ open: one.id })} />;
  // what is cut for want of room is said in full where the pointer rests
  const whole = (text: string | null | undefined) => (text ? <span title={text}>{text}</span> : null);
  const columns: Column<OutboxEntry>[] = [
    {
      key: 'subject',
      title: t('col.subject'),
      main: true,
      width: '200px',
      share: 65,
      cell: opener,
    },
    { key: 'type', title: t('col.type'), cell: (one) => (one.isTrial ? t('trial') : nameOf(one.messageType)) },
    { key: 'channel', title: t('col.channel'), cell: (one) => t(`channel.${one.channel}`) },
    { key: 'recipient', title: t('col.recipient'), cell: (one) => one.recipient },
    { key: 'booking', title: t('col.booking'), cell: (one) => one.booking },
    { key: 'standing', title: t('col.standing'), cell: (one) => t(`standing.${one.standing}`) },
    {
      key: 'made',
      title: t('col.made'),
      cell: (one) => formatDateTime(one.sentAt ?? one.createdAt, montrealZone, language),
    },
    { key: 'tries', title: t('col.tries'), numeric: true, cell: (one) => one.attempts },
    { key: 'segments', title: t('segments'), numeric: true, cell: (one) => one.segments },
    {
      key: 'error',
      title: t('col.answer'),
      width: '90px',
      share: 35,
      cell: (one) => whole(troubleOf(one.trouble) ?? one.lastError),
    },
  ];
  return (
    <>
      <PageHeading title={t('shell:area.messages')} lead={t('lead')} />
      <LeftOutNotice of={leftOutOf(search, inAddress, ['open', 'report'])} />
      <div className={classes['filters']}>
        <SearchBox
          label={t('search')}
          placeholder={t('search')}
          value={value}
          slash
          onSearch={(text) => change({ value: text || undefined, page: undefined })}
        />
        <NativeSelect
          aria-label={t('col.channel')}
          value={channel ?? ''}
          onChange={(event) => change({ channel: event.currentTarget.value || undefined, page: undefined })}
          data={[{ value: '', label: t('channel.all') }, ...channels]}
        />
        <NativeSelect
          aria-label={t('col.standing')}
          value={standing ?? ''}
          onChange={(event) => change({ standing: event.currentTarget.value || undefined, page: undefined })}
          data={[{ value: '', label: t('standing.all') }, ...standings]}
        />
      </div>
      <DataTable
        label={t('shell:area.messages')}
        columns={columns}
        rows={list.data?.data ?? []}
        rowKey={(one) => one.id}
        rowName={subject}
        total={list.data?.total ?? 0}
        state={state}
        onState={(next) => change(codec.write(next))}
        status={list.isPending ? 'loading' : list.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          list.isError
            ? { title: t('failed'), failure: asProblem(list.error), onRetry: () => void list.refetch() }
            : null
        }
        empty={<NothingYet title={t('empty')}>{t('emptyHelp')}</NothingYet>}
        filtered={
          Object.keys(values).length > 0 || report !== null
            ? { onClear: () => change({ ...inAddress.write({}), report: undefined, page: undefined }) }
            : null
        }
      />
      <MessageDrawer id={open} onClose={() => change({ open: undefined })} />
    </>
  );
}

function OpenButton({ name, onOpen }: { name: string; onOpen: () => void }) {
  return (
    <button type="button" title={name} className={classes['open']} onClick={onOpen}>
      {name}
    </button>
  );
}

export const Route = createLazyRoute('/desk/messages')({ component: MessagesPage });
