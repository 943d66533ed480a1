import type { UseQueryOptions } from '@tanstack/react-query';
import { asProblem } from '@portage/api';
import { DeskButton } from '@portage/kit/desk/button';
import { Drawer } from '@portage/kit/desk/drawer';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './catalogue.module.css';
import { StateWord } from './state-word.tsx';
import type { Catalogue } from './use-catalogue.ts';
import type { CatalogueRecord } from './use-record-form.tsx';

type RecordQuery<R> = (id: string) => UseQueryOptions<R, Error, R, readonly string[]> & {
  queryKey: readonly string[];
};

interface CatalogueDrawerProps<R extends CatalogueRecord> {
  list: Catalogue;
  /** Those of the page, in its order: j and k walk through them. */
  rows: readonly R[];
  query: RecordQuery<R>;
  name: (record: R) => string;
  /** The number that people say, where records have one. */
  number?: (record: R) => string;
  /** Title of the form of a new record. */
  addTitle: string;
  failed: string;
  View: ComponentType<{ record: R }>;
  Form: ComponentType<{ record: R | null; list: Catalogue }>;
  /** Beside the button that opens the form. */
  Actions?: ComponentType<{ record: R; list: Catalogue }>;
}

/** The record beside its list, and the form of a record that is added or changed. The address says which. */
export function CatalogueDrawer<R extends CatalogueRecord>(props: CatalogueDrawerProps<R>) {
  const { list, rows, query, name, number, addTitle, failed, View, Form, Actions } = props;
  const { t } = useTranslation(['catalogue', 'shell']);
  const { open, adding, editing } = list;
  const at = rows.findIndex((row) => row.id === open);
  const record = useQuery({ ...query(open ?? ''), enabled: open !== null });
  const failedWhole = open !== null && record.isError && !record.data;
  // one that is gone is not shown as the list had it
  const isGone = failedWhole && asProblem(record.error).status === 404;
  const shown = open === null || isGone ? undefined : (record.data ?? rows[at]);
  const walk = (to: R | undefined) => (to && !editing ? () => list.setOpen(to.id, true) : undefined);
  useEffect(() => {
    // the button that opened the form, or closed it, is gone
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('[role="dialog"] [data-autofocus]')?.focus();
  }, [editing]);

  const title = adding
    ? addTitle
    : !shown
      ? isGone
        ? t('shell:gone.title')
        : failedWhole
          ? failed
          : t('loading')
      : editing
        ? t('edit.title', { name: name(shown) })
        : name(shown);
  return (
    <Drawer
      opened={adding || open !== null}
      onClose={() => list.setOpen(null)}
      title={title}
      kicker={
        shown ? (
          <span className={classes['kicker']}>
            {number ? <span className="pg-num">{number(shown)}</span> : null}
            <StateWord state={shown.state} />
          </span>
        ) : null
      }
      onPrevious={at >= 0 ? walk(rows[at - 1]) : undefined}
      onNext={at >= 0 ? walk(rows[at + 1]) : undefined}
      returnFocusTo={() => document.querySelector<HTMLElement>(`[data-grid-row="${open}"] [data-row-link]`)}
      footer={
        shown && !editing ? (
          <>
            {Actions ? <Actions key={shown.id} record={shown} list={list} /> : null}
            <DeskButton variant="primary" onClick={() => list.edit(true)}>
              {t('edit.open')}
            </DeskButton>
          </>
        ) : null
      }
    >
      {adding ? (
        <Form record={null} list={list} />
      ) : open === null ? null : isGone && !editing ? (
        <p>{t('shell:gone.text')}</p>
      ) : editing ? (
        <Editing key={open} id={open} list={list} query={query} failed={failed} Form={Form} />
      ) : failedWhole ? (
        <Failed
          title={shown ? failed : undefined}
          failure={asProblem(record.error)}
          onRetry={() => void record.refetch()}
        />
      ) : shown ? (
        <View key={shown.id} record={shown} />
      ) : (
        <Skeleton label={t('loading')} kind="record" />
      )}
    </Drawer>
  );
}

type EditingProps<R extends CatalogueRecord> = { id: string } & Pick<
  CatalogueDrawerProps<R>,
  'list' | 'query' | 'failed' | 'Form'
>;

/** Begins a form with the record as it is now. What it began with stays when others change it, or a session ends. */
function Editing<R extends CatalogueRecord>({ id, list, query, failed, Form }: EditingProps<R>) {
  const { t } = useTranslation(['catalogue', 'shell']);
  const record = useQuery({ ...query(id), staleTime: 0 });
  const [first, setFirst] = useState<R | null>(null);
  if (record.data && !record.isFetching && first === null) setFirst(record.data);
  if (first !== null) return <Form record={first} list={list} />;
  if (record.isError && asProblem(record.error).status === 404) return <p>{t('shell:gone.text')}</p>;
  if (record.isError)
    return <Failed title={failed} failure={asProblem(record.error)} onRetry={() => void record.refetch()} />;
  return <Skeleton label={t('loading')} kind="record" />;
}
