import { asProblem } from '@portage/api';
import { Notice, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { saveFile } from '../../../shell/save-file.ts';
import { exportFile } from './queries.ts';
import type { List } from './use-list.ts';

/** Downloads what the filters and the search select. */
export function ExportButton({ list }: { list: List }) {
  const { t } = useTranslation('bookings');
  const run = useMutation({
    mutationFn: () => exportFile(list.asked),
    onSuccess: (file) => saveFile(file, `bookings-${list.today}.csv`),
  });
  return (
    <>
      <DeskButton
        icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
        aria-label={t('list.csvLabel')}
        title={t('list.csvLabel')}
        busy={run.isPending}
        onClick={() => run.mutate()}
      >
        {t('list.csv')}
      </DeskButton>
      {run.isError ? (
        <Notice tone="error" live led title={t('list.csvFailed')} onDismiss={run.reset}>
          <Reason failure={asProblem(run.error)} />
        </Notice>
      ) : null}
    </>
  );
}
