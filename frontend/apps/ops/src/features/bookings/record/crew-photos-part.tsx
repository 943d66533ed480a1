import { asProblem, deleteFile } from '@portage/api';
import { ConfirmDialog, queryClient } from '@portage/frame';
import { formatName } from '@portage/i18n';
import { ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { CrewPhotos, type JobPhoto } from '../../../shell/crew-job/photos.tsx';
import { historyQuery, workQuery } from './queries.ts';

interface CrewPhotosPartProps {
  /** Of which booking. */
  booking: string;
  photos: readonly JobPhoto[];
  when: (instant: string) => string;
}

/** The photos of a crew, each with its removal: what shows somebody, or is of another move, is not kept. */
export function CrewPhotosPart({ booking, photos, when }: CrewPhotosPartProps) {
  const { t } = useTranslation('record');
  const all = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<{ photo: JobPhoto; name: string } | null>(null);
  const [asking, setAsking] = useState(false);
  const erase = useMutation({
    mutationFn: ({ url }: JobPhoto) => deleteFile(url),
    onSuccess: async (_, { url }) => {
      setAsking(false);
      queryClient.removeQueries({ queryKey: ['desk', 'photo', url] });
      showToast({ text: t('work.erased') });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: workQuery(booking).queryKey }),
        queryClient.invalidateQueries({ queryKey: historyQuery(booking).queryKey }),
      ]);
      // the button that opened the question is gone with its photo
      all.current?.focus();
    },
  });
  return (
    <div ref={all} tabIndex={-1}>
      <CrewPhotos
        photos={photos}
        caption={({ at, name }) => t('work.photo', { when: when(at), name: formatName(name) })}
        renderAction={(photo, name) => (
          <DeskButton
            variant="quiet"
            aria-label={t('work.erase.of', { photo: name })}
            onClick={() => {
              erase.reset();
              setChosen({ photo, name });
              setAsking(true);
            }}
          >
            {t('work.erase')}
          </DeskButton>
        )}
      />
      <ConfirmDialog
        opened={asking}
        title={t('work.erase.question', { photo: chosen?.name ?? '' })}
        confirmLabel={t('work.erase')}
        danger
        loading={erase.isPending}
        onConfirm={() => chosen && erase.mutate(chosen.photo)}
        onCancel={() => setAsking(false)}
      >
        {erase.isError ? (
          <ErrorState led failure={asProblem(erase.error)} title={t('work.erase.failed')} />
        ) : (
          t('work.erase.help')
        )}
      </ConfirmDialog>
    </div>
  );
}
