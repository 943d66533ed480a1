import { asProblem, readFile } from '@portage/api';
import { Notice, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../company.ts';
import { saveFile } from '../save-file.ts';
import { type CatalogueFile, fileUrl } from './catalogue-file.ts';

// most visits import nothing
const ImportDialog = lazy(() => import('./import-dialog.tsx').then((module) => ({ default: module.ImportDialog })));

/** Takes a catalogue along as CSV, and brings one. */
export function CsvButtons({ file }: { file: CatalogueFile }) {
  const { t } = useTranslation('catalogue');
  const [importing, setImporting] = useState(false);
  const download = useMutation({
    mutationFn: () => readFile(fileUrl(file)),
    onSuccess: (csv) => saveFile(csv, `${file.name}-${deskToday()}.csv`),
  });
  return (
    <>
      <DeskButton
        icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
        busy={download.isPending}
        onClick={() => download.mutate()}
      >
        {t('csv.export')}
      </DeskButton>
      <DeskButton icon={<IconUpload size={16} stroke={1.75} aria-hidden />} onClick={() => setImporting(true)}>
        {t('csv.import')}
      </DeskButton>
      {download.isError ? (
        <Notice tone="error" live led title={t('csv.exportFailed')} onDismiss={download.reset}>
          <Reason failure={asProblem(download.error)} />
        </Notice>
      ) : null}
      {importing ? (
        <Suspense fallback={null}>
          <ImportDialog file={file} onClose={() => setImporting(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
