import { NativeSelect, TextInput } from '@mantine/core';
import { api, asProblem, type BookingStatus, type BulkResult, type DeskBooking, unwrap } from '@portage/api';
import { formatItems, formatSentences, useLanguage } from '@portage/i18n';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import type { Selection } from '@portage/kit/desk/table';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { WhatFollows } from '../parts/what-follows.tsx';
import classes from './bulk-status.module.css';
import { statuses } from './filters.ts';

const most = 100;
/** What is done to many at once; cancelling has consequences for money and is done one by one. */
const targets = statuses.filter((status) => status !== 'cancelled' && status !== 'deleted');

interface BulkStatusProps {
  selection: Selection;
  /** The rows on screen: they know which status a booking had, and who comes. */
  rows: readonly DeskBooking[];
  onDone: (left: readonly string[]) => void;
}

/** Sets the status of the chosen bookings and says for each what happened. Those that failed stay chosen. */
export function BulkStatus({ selection, rows, onDone }: BulkStatusProps) {
  const { t } = useTranslation(['bookings', 'common', 'shell']);
  const language = useLanguage();
  const queries = useQueryClient();
  const [opened, setOpened] = useState(false);
  const [status, setStatus] = useState<BookingStatus>('assigned');
  const [reason, setReason] = useState('');
  const [before, setBefore] = useState<ReadonlyMap<string, BookingStatus>>(new Map());
  const ids = [...selection.keys];
  const tooMany = selection.allMatching || ids.length > most;
  const run = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/bookings/status', { body: { ids, status, ...(reason.trim() ? { reason: reason.trim() } : {}) } }),
      ),
    onMutate: () => setBefore(new Map(rows.map((row) => [row.id, row.status]))),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  });
  const results = run.data?.data;
  const close = () => {
    setOpened(false);
    if (results) onDone(results.filter((one) => !one.ok).map((one) => one.id));
    run.reset();
  };
  return (
    <>
      <DeskButton onClick={() => setOpened(true)}>{t('bulk.status')}</DeskButton>
      <Dialog
        opened={opened}
        title={results ? t('bulk.results') : t('bulk.title', { count: ids.length })}
        onClose={close}
        actions={
          results || tooMany ? (
            <DeskButton variant="primary" onClick={close}>
              {t('common:action.close')}
            </DeskButton>
          ) : (
            <>
              <DeskButton onClick={close}>{t('shell:leaveAsIs')}</DeskButton>
              <DeskButton variant="primary" busy={run.isPending} onClick={() => run.mutate()}>
                {t('bulk.run')}
              </DeskButton>
            </>
          )
        }
      >
        {tooMany ? (
          <p>{t('bulk.onlyPage')}</p>
        ) : results ? (
          <Results results={results} before={before} rows={rows} />
        ) : (
          <div className={classes['form']}>
            <NativeSelect
              label={t('bulk.to')}
              value={status}
              onChange={(event) => setStatus(event.currentTarget.value as BookingStatus)}
              data={targets.map((value) => ({ value, label: t(`status.${value}`) }))}
            />
            <WhatFollows status={status} />
            <TextInput
              label={t('bulk.reason')}
              description={formatSentences(
                [t('bulk.reasonHelp'), status === 'pending' ? t('reason.creditNote') : null],
                language,
              )}
              value={reason}
              maxLength={500}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            {run.isError ? <ErrorState led failure={asProblem(run.error)} title={t('bulk.failed')} /> : null}
          </div>
        )}
      </Dialog>
    </>
  );
}

interface ResultsProps {
  results: readonly BulkResult[];
  before: ReadonlyMap<string, BookingStatus>;
  rows: readonly DeskBooking[];
}

function Results({ results, before, rows }: ResultsProps) {
  const { t } = useTranslation('bookings');
  const language = useLanguage();
  const said = ({ id, ok, status, detail }: BulkResult) => {
    const name = status ? t(`status.${status}`) : '';
    if (!ok) return formatSentences([detail ?? null, status ? t('bulk.still', { status: name }) : null], language);
    if (before.get(id) === status) return t('bulk.had', { status: name });
    const crew = rows.find((row) => row.id === id && row.status === status)?.crew ?? [];
    if (status !== 'assigned' || crew.length === 0) return t('bulk.changed', { status: name });
    return t('bulk.withCrew', {
      status: name,
      names: formatItems(
        crew.map((mate) => mate.name),
        language,
      ),
    });
  };
  const changed = results.filter((one) => one.ok && before.get(one.id) !== one.status);
  return (
    <>
      <p role="status">{t('bulk.done', { ok: changed.length, all: results.length })}</p>
      <ul className={classes['results']}>
        {results.map((one) => (
          <li key={one.id} data-failed={!one.ok || undefined}>
            <span className="pg-num">{one.shortId ?? one.id}</span>
            <span>{said(one)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
