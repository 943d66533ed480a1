import { asProblem, type CatalogueImport, newIdempotencyKey, sendBody } from '@portage/api';
import { Dialog, Notice, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { FileDrop } from '@portage/kit/desk/files';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type CatalogueFile, fileUrl } from './catalogue-file.ts';
import classes from './catalogue.module.css';

/** As much as the server takes. */
const maxBytes = 4 * 1024 * 1024;

function tried(file: CatalogueFile, csv: File): Promise<CatalogueImport> {
  return sendBody(`${fileUrl(file)}?dryRun=true`, 'text/csv', csv) as Promise<CatalogueImport>;
}

function kept(file: CatalogueFile, csv: File, key: string): Promise<CatalogueImport> {
  return sendBody(`${fileUrl(file)}?dryRun=false`, 'text/csv', csv, key) as Promise<CatalogueImport>;
}

interface ImportDialogProps {
  file: CatalogueFile;
  onClose: () => void;
}

/** Takes a file, says what it would change or what is wrong with it, and imports it when nothing is. */
export function ImportDialog({ file, onClose }: ImportDialogProps) {
  const { t } = useTranslation('catalogue');
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<File | null>(null);
  // one key for one chosen file: pressing again after a lost answer imports it once
  const [key, setKey] = useState(newIdempotencyKey);
  const trial = useMutation({ mutationFn: (csv: File) => tried(file, csv) });
  const run = useMutation({
    mutationFn: (csv: File) => kept(file, csv, key),
    onSuccess: async (report) => {
      // a colleague may have changed something since the trial: then it says so, and nothing was saved
      if (report.errors.length > 0) return;
      showToast({ text: t('csv.done', { count: report.rows }) });
      onClose();
      await queries.invalidateQueries({ queryKey: file.queryKey });
    },
  });
  const report = run.data ?? trial.data;
  const failure = run.error ?? trial.error;
  const choose = (csv: File | null) => {
    setChosen(csv);
    setKey(newIdempotencyKey());
    trial.reset();
    run.reset();
    if (csv) trial.mutate(csv);
  };
  const state = trial.isPending || run.isPending ? 'sending' : failure ? 'failed' : 'done';
  const files = chosen ? [{ key: 'csv', name: chosen.name, size: chosen.size, state } as const] : [];
  const changes = report ? report.added + report.changed : 0;
  return (
    <Dialog
      opened
      title={t('csv.import')}
      onClose={onClose}
      actions={
        chosen && report && report.errors.length === 0 && changes > 0 ? (
          <DeskButton variant="primary" busy={run.isPending} onClick={() => run.mutate(chosen)}>
            {t('csv.go', { count: report.rows })}
          </DeskButton>
        ) : undefined
      }
    >
      <p>{t(file.name === 'rates' ? 'csv.leadOfVersions' : 'csv.lead')}</p>
      <FileDrop
        label={t('csv.choose')}
        kinds={t('csv.kinds')}
        accept={['.csv', '.txt', 'text/csv']}
        maxBytes={maxBytes}
        maxFiles={1}
        files={files}
        onAdd={([csv]) => choose(csv ?? null)}
        onRemove={() => choose(null)}
      />
      <div role="status">{trial.isPending ? t('csv.checking') : report ? <Outcome report={report} /> : null}</div>
      {failure ? (
        <Notice tone="error" live title={t('csv.importFailed')}>
          <Reason failure={asProblem(failure)} />
        </Notice>
      ) : null}
      {report && report.errors.length > 0 ? <Mistakes report={report} /> : null}
    </Dialog>
  );
}

/** What the file would change. */
function Outcome({ report }: { report: CatalogueImport }) {
  const { t } = useTranslation('catalogue');
  if (report.errors.length > 0) return t('csv.wrong', { count: report.errors.length + report.moreErrors });
  if (report.added + report.changed === 0) return t('csv.nothing');
  return (
    <ul className={classes['counts']}>
      <li>{t('csv.added', { count: report.added })}</li>
      <li>{t('csv.changed', { count: report.changed })}</li>
      <li>{t('csv.unchanged', { count: report.unchanged })}</li>
    </ul>
  );
}

/** What is wrong with it, by line. */
function Mistakes({ report }: { report: CatalogueImport }) {
  const { t } = useTranslation('catalogue');
  return (
    <div className={classes['mistakes']}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('csv.line')}</th>
            <th scope="col">{t('csv.column')}</th>
            <th scope="col">{t('csv.message')}</th>
          </tr>
        </thead>
        <tbody>
          {report.errors.map(({ line, column, message }, at) => (
            <tr key={at}>
              <td>{line}</td>
              <td>{column}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.moreErrors > 0 ? <p>{t('csv.more', { count: report.moreErrors })}</p> : null}
    </div>
  );
}
