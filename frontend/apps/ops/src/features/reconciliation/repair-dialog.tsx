import { asProblem, type Difference, newIdempotencyKey } from '@portage/api';
import { ConfirmDialog } from '@portage/frame';
import { ErrorState } from '@portage/kit';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { reconciliationKey, repairOf } from './queries.ts';

/** Says once more what a repair does, and has it done. One press is one repair, also when no answer came. */
export function RepairDialog({ difference, onClose }: { difference: Difference; onClose: () => void }) {
  const { t } = useTranslation('reconciliation');
  const queries = useQueryClient();
  const [key] = useState(newIdempotencyKey);
  const run = useMutation({
    mutationFn: () => repairOf(difference.id, key),
    onSuccess: () => {
      showToast({ text: t('repaired') });
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: reconciliationKey }),
  });
  return (
    <ConfirmDialog
      opened
      title={t('repair.question')}
      confirmLabel={t('repair.run')}
      loading={run.isPending}
      onConfirm={() => run.mutate()}
      onCancel={onClose}
    >
      <p>{difference.text}</p>
      <p>
        <strong>{difference.repair?.text}</strong>
      </p>
      {run.isError ? <ErrorState failure={asProblem(run.error)} title={t('repair.failed')} /> : null}
    </ConfirmDialog>
  );
}
