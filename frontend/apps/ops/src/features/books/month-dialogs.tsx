import { Textarea } from '@mantine/core';
import { asProblem } from '@portage/api';
import { ConfirmDialog } from '@portage/frame';
import { keepAnswer } from '@portage/frame/keep-answer';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './books.module.css';
import { closeMonth, monthsKey, reopenMonth } from './queries.ts';

interface MonthDialogProps {
  /** As the API writes it. */
  month: string;
  /** As people read it. */
  name: string;
  onClose: () => void;
}

/** Asks before a month is closed, and says what that means. */
export function CloseMonth({ month, name, onClose }: MonthDialogProps) {
  const { t } = useTranslation('books');
  const queries = useQueryClient();
  const run = useMutation({
    mutationFn: () => closeMonth(month),
    onSuccess: async (list) => {
      await keepAnswer(queries, { queryKey: monthsKey }, list);
      showToast({ text: t('months.done', { month: name }) });
      onClose();
    },
    onError: () => queries.invalidateQueries({ queryKey: monthsKey }),
  });
  return (
    <ConfirmDialog
      opened
      title={t('months.closeTitle', { month: name })}
      confirmLabel={t('months.closeRun')}
      loading={run.isPending}
      onConfirm={() => run.mutate()}
      onCancel={onClose}
    >
      <p>{t('months.closeText', { month: name })}</p>
      {run.isError ? <ErrorState led failure={asProblem(run.error)} title={t('months.failed')} /> : null}
    </ConfirmDialog>
  );
}

/** Reopens a month for a reason, which the trail keeps. */
export function ReopenMonth({ month, name, onClose }: MonthDialogProps) {
  const { t } = useTranslation(['books', 'common', 'shell']);
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const run = useMutation({
    mutationFn: () => reopenMonth(month, reason.trim()),
    onSuccess: async (list) => {
      await keepAnswer(queries, { queryKey: monthsKey }, list);
      showToast({ text: t('months.reopenDone', { month: name }) });
      onClose();
    },
    onError: () => queries.invalidateQueries({ queryKey: monthsKey }),
  });
  return (
    <Dialog
      opened
      title={t('months.reopenTitle', { month: name })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('common:action.cancel')}</DeskButton>
          <DeskButton
            variant="primary"
            disabled={reason.trim() === ''}
            busy={run.isPending}
            onClick={() => run.mutate()}
          >
            {t('months.reopenRun')}
          </DeskButton>
        </>
      }
    >
      <p className={classes['lead']}>{t('months.reopenText', { month: name })}</p>
      <Textarea
        label={t('months.reopenReason')}
        required
        withAsterisk={false}
        description={t('shell:field.needed')}
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {run.isError ? <ErrorState led failure={asProblem(run.error)} title={t('months.failed')} /> : null}
    </Dialog>
  );
}
