import { asProblem, type RateVersion } from '@portage/api';
import { ConfirmDialog } from '@portage/frame';
import { ErrorState, Notice } from '@portage/kit';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useVersionName } from './columns.tsx';
import { ratesKey, removeRate } from './queries.ts';

/** Asks before a version that is still to come is taken away. */
export function RemovePlanned({ rate, onClose }: { rate: RateVersion; onClose: () => void }) {
  const { t } = useTranslation('rates');
  const queries = useQueryClient();
  const version = useVersionName()(rate);
  const remove = useMutation({
    mutationFn: () => removeRate(rate),
    onSuccess: () => {
      showToast({ text: t('remove.done', { version }) });
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ratesKey }),
  });
  const inUse = remove.isError && asProblem(remove.error).code === 'rate_in_use';
  return (
    <ConfirmDialog
      opened
      title={t('remove.question', { version })}
      confirmLabel={t('remove.open')}
      danger
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    >
      {inUse ? (
        <Notice tone="error" live led>
          {t('remove.inUse')}
        </Notice>
      ) : remove.isError ? (
        <ErrorState led failure={asProblem(remove.error)} title={t('remove.failed')} />
      ) : (
        t('remove.help')
      )}
    </ConfirmDialog>
  );
}
