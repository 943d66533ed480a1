import { asProblem } from '@portage/api';
import { ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { saveFile } from '../../shell/save-file.ts';

interface DownloadProps {
  label: string;
  /** What it is called where the same words stand more than once on a page. */
  fullName?: string;
  name: string;
  read: () => Promise<Blob>;
  locked?: boolean;
}

/** Takes a file along. */
export function Download({ label, fullName, name, read, locked = false }: DownloadProps) {
  const { t } = useTranslation('books');
  const run = useMutation({ mutationFn: read, onSuccess: (file) => saveFile(file, name) });
  return (
    <>
      <DeskButton
        icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
        busy={run.isPending}
        disabled={locked}
        aria-label={fullName}
        onClick={() => run.mutate()}
      >
        {label}
      </DeskButton>
      {run.isError ? <ErrorState led failure={asProblem(run.error)} title={t('download.failed')} /> : null}
    </>
  );
}
