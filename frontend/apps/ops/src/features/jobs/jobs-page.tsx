import { api, asProblem, type QueueJob, unwrap } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { ConfirmDialog } from '@portage/frame';
import { formatDateTime, formatList, formatNumber, useLanguage } from '@portage/i18n';
import { ErrorState, PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { leftOutOf } from '../../shell/left-out.ts';
import { LeftOutNotice } from '../../shell/left-out-notice.tsx';

const codec = tableCodec({
  columns: [
    { key: 'kind', main: true },
    { key: 'state' },
    { key: 'tries' },
    { key: 'reason' },
    { key: 'about' },
    { key: 'made' },
    { key: 'do' },
  ],
});

/** Work that failed: why, and another try. */
function JobsPage() {
  const { t } = useTranslation(['jobs', 'shell']);
  const language = useLanguage();
  const queries = useQueryClient();
  const search = useSearch({ from: '/desk/jobs' });
  const navigate = useNavigate({ from: '/jobs' });
  const [dropping, setDropping] = useState<QueueJob | null>(null);
  const jobs = useQuery({
    queryKey: ['desk', 'jobs'],
    queryFn: () => unwrap(api.GET('/queue', {})),
    meta: { personal: true },
  });
  const act = useMutation({
    mutationFn: ({ job, how }: { job: QueueJob; how: 'retry' | 'drop' }) =>
      how === 'retry'
        ? unwrap(api.POST('/queue/{id}/retry', { params: { path: { id: job.id } } }))
        : unwrap(api.DELETE('/queue/{id}', { params: { path: { id: job.id } } })),
    onSuccess: (_, { how }) => {
      setDropping(null);
      showToast({ text: how === 'retry' ? t('done.retry') : t('done.drop') });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk', 'jobs'] }),
  });
  const when = (instant: string) => formatDateTime(instant, montrealZone, language);
  const doing = (job: QueueJob) =>
    job.state === 'dead' ? (
      <span style={{ display: 'inline-flex', gap: 8 }}>
        <DeskButton
          aria-label={t('retry.name', { kind: job.kind })}
          busy={act.isPending}
          onClick={() => act.mutate({ job, how: 'retry' })}
        >
          {t('retry')}
        </DeskButton>
        <DeskButton
          variant="quiet"
          aria-label={t('drop.name', { kind: job.kind })}
          onClick={() => {
            act.reset();
            setDropping(job);
          }}
        >
          {t('drop')}
        </DeskButton>
      </span>
    ) : null;
  const columns: Column<QueueJob>[] = [
    { key: 'kind', title: t('col.kind'), main: true, cell: (job) => job.kind },
    {
      key: 'state',
      title: t('col.state'),
      cell: (job) =>
        job.state === 'dead' || !job.nextAt ? t('state.dead') : t('state.failing', { when: when(job.nextAt) }),
    },
    { key: 'tries', title: t('col.tries'), numeric: true, cell: (job) => formatNumber(job.attempts, language) },
    { key: 'reason', title: t('col.reason'), cell: (job) => job.lastError ?? '' },
    {
      key: 'about',
      title: t('col.about'),
      cell: (job) =>
        formatList(
          [job.booking, job.message?.type, job.message?.recipient].filter((one) => typeof one === 'string'),
          language,
        ),
    },
    { key: 'made', title: t('col.made'), cell: (job) => (job.madeAt ? when(job.madeAt) : null) },
    {
      key: 'do',
      title: t('shell:col.do'),
      cell: doing,
    },
  ];
  return (
    <>
      <PageHeading title={t('shell:area.jobs')} lead={t('lead')} />
      <LeftOutNotice of={leftOutOf(search)} />
      {act.isError && !dropping ? <ErrorState failure={asProblem(act.error)} title={t('refused')} /> : null}
      <DataTable
        label={t('shell:area.jobs')}
        columns={columns}
        rows={jobs.data?.data ?? []}
        rowKey={(job) => job.id}
        rowName={(job) => job.kind}
        state={codec.read(search)}
        onState={(next) => void navigate({ search: (before) => ({ ...before, ...codec.write(next) }) })}
        status={jobs.isPending ? 'loading' : 'ready'}
        failure={
          jobs.isError
            ? { title: t('failed'), failure: asProblem(jobs.error), onRetry: () => void jobs.refetch() }
            : null
        }
        empty={<NothingYet title={t('empty')}>{t('emptyHelp')}</NothingYet>}
      />
      <ConfirmDialog
        opened={dropping !== null}
        title={t('drop.question')}
        confirmLabel={t('drop')}
        danger
        loading={act.isPending}
        onConfirm={() => dropping && act.mutate({ job: dropping, how: 'drop' })}
        onCancel={() => setDropping(null)}
      >
        {act.isError ? <ErrorState failure={asProblem(act.error)} title={t('refused')} /> : t('drop.help')}
      </ConfirmDialog>
    </>
  );
}

export const Route = createLazyRoute('/desk/jobs')({ component: JobsPage });
