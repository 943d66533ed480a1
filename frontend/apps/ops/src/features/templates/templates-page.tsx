import { asProblem, type TemplateRow } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { formatDateTime, languages, type Language, useLanguage } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { leftOutOf } from '../../shell/left-out.ts';
import { LeftOutNotice } from '../../shell/left-out-notice.tsx';
import { useTypeName } from '../../shell/messages/type-name.ts';
import { listQuery } from './queries.ts';
import classes from './templates.module.css';

const codec = tableCodec({
  columns: [
    { key: 'type', main: true },
    ...languages.map((key) => ({ key })),
    { key: 'attachment' },
    { key: 'changed' },
  ],
});

/** A type of message with its languages. */
interface Kind {
  messageType: string;
  rows: TemplateRow[];
}

function kindsOf(rows: readonly TemplateRow[]): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const row of rows) {
    const kind = kinds.get(row.messageType) ?? { messageType: row.messageType, rows: [] };
    kind.rows.push(row);
    kinds.set(row.messageType, kind);
  }
  return [...kinds.values()];
}

/** Every message that is sent, and whose words it has in each language. */
function TemplatesPage() {
  const { t } = useTranslation(['templates', 'shell', 'common']);
  const language = useLanguage();
  const nameOf = useTypeName();
  const search = useSearch({ from: '/desk/templates' });
  const navigate = useNavigate({ from: '/templates' });
  const list = useQuery(listQuery);
  const linkIn = (of: Language) => {
    const link = (kind: Kind) => <TemplateLink kind={kind} language={of} />;
    return link;
  };
  const inLanguage = (of: Language): Column<Kind> => ({
    key: of,
    title: t(`common:lang.${of}`),
    cell: linkIn(of),
  });
  const columns: Column<Kind>[] = [
    { key: 'type', title: t('col.type'), main: true, cell: ({ messageType }) => nameOf(messageType) },
    ...languages.map(inLanguage),
    {
      key: 'attachment',
      title: t('col.attachment'),
      cell: ({ rows }) => (rows[0]?.document ? t(`attaches.${rows[0].document}`) : null),
    },
    {
      key: 'changed',
      title: t('col.changed'),
      cell: ({ rows }) => {
        const dates = rows.flatMap((row) => (row.changedAt ? [row.changedAt] : []));
        const last = dates.toSorted().at(-1);
        return last ? formatDateTime(last, montrealZone, language) : null;
      },
    },
  ];
  return (
    <>
      <PageHeading title={t('shell:area.templates')} lead={t('lead')} />
      <LeftOutNotice of={leftOutOf(search)} />
      <DataTable
        label={t('shell:area.templates')}
        columns={columns}
        rows={kindsOf(list.data?.data ?? [])}
        rowKey={(kind) => kind.messageType}
        rowName={(kind) => nameOf(kind.messageType)}
        state={codec.read(search)}
        onState={(next) => void navigate({ search: (before) => ({ ...before, ...codec.write(next) }) })}
        status={list.isPending ? 'loading' : 'ready'}
        failure={
          list.isError
            ? { title: t('failed'), failure: asProblem(list.error), onRetry: () => void list.refetch() }
            : null
        }
        empty={null}
      />
    </>
  );
}

/** Whose words a message has in a language, and the way to them. */
function TemplateLink({ kind: { messageType, rows }, language }: { kind: Kind; language: Language }) {
  const { t } = useTranslation(['templates', 'common']);
  const nameOf = useTypeName();
  const row = rows.find((one) => one.language === language);
  if (!row) return null;
  return (
    <Link
      to="/templates/$messageType/$language"
      params={{ messageType, language }}
      className={classes['open'] ?? ''}
      data-origin={row.origin}
      aria-label={t('openOf', { type: nameOf(messageType), language: t(`common:lang.${language}`) })}
    >
      {t(`origin.${row.origin}`)}
    </Link>
  );
}

export const Route = createLazyRoute('/desk/templates')({ component: TemplatesPage });
