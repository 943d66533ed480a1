import { asProblem, deleteFile, type DeskBooking } from '@portage/api';
import { ConfirmDialog, queryClient } from '@portage/frame';
import { keepAnswer } from '@portage/frame/keep-answer';
import { largestPhoto, mostPhotos, type Upload, usePhotoUploads } from '@portage/frame/photo-uploads';
import { announce, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { FileDrop, type FileItem } from '@portage/kit/desk/files';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useChanges } from '../../../shell/live.ts';
import { PhotoThumb } from './photo-image.tsx';
import { PhotoViewer } from './photo-viewer.tsx';
import classes from './photos.module.css';
import { bookingQuery, historyQuery } from './queries.ts';
import recordClasses from './record.module.css';

/** A round figure below what the server takes: whoever reads "12 MB" counts as file managers do. */
const largestSaid = Math.floor(largestPhoto / 1_000_000) * 1_000_000;

/** The photos of a booking: seen, opened large, added and deleted by staff, at every status. */
export function PhotosPart({ booking }: { booking: Pick<DeskBooking, 'id' | 'photos'> }) {
  const { t } = useTranslation(['record', 'common']);
  const { id } = booking;
  const photos = booking.photos ?? [];
  const all = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<string | null>(null);
  const [chosen, setChosen] = useState<{ url: string; name: string } | null>(null);
  const [asking, setAsking] = useState(false);
  const { queryKey } = bookingQuery(id);
  const keep = (change: (urls: string[]) => string[]) =>
    keepAnswer<DeskBooking>(queryClient, { queryKey }, (now) => now && { ...now, photos: change(now.photos ?? []) });
  const readAgain = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey }),
      queryClient.invalidateQueries({ queryKey: historyQuery(id).queryKey }),
    ]);

  const { uploads, add, again, remove } = usePhotoUploads(id, (url) => {
    void keep((urls) => (urls.includes(url) ? urls : [...urls, url])).then(readAgain);
    announce(t('photo.added'));
  });
  const erase = useMutation({
    mutationFn: deleteFile,
    onSuccess: async (_, url) => {
      setAsking(false);
      await keep((urls) => urls.filter((one) => one !== url));
      queryClient.removeQueries({ queryKey: ['desk', 'photo', url] });
      showToast({ text: t('photo.deleted') });
      // the button that opened the question is gone with its photo
      all.current?.focus();
      void readAgain();
    },
  });
  useChanges(({ kind }) => {
    // a photo is told by its own key, which one of a colleague's has before anybody here knows it
    if (kind === 'photo') void readAgain();
  });

  const name = (index: number) => t('photo.one', { n: index + 1 });
  const room = mostPhotos - photos.length;
  const why = (problem: NonNullable<Upload['problem']>): string => {
    if (problem === 'tooLarge' || problem === 'empty') return t(`photo.${problem}`);
    return problem.status === 0 ? t('common:error.network') : problem.detail || t('common:page.serverError');
  };
  const files = uploads.map(({ key, file, state, progress, problem }): FileItem => ({
    key,
    name: file.name,
    size: file.size,
    state,
    ...(state === 'sending' ? { progress } : {}),
    ...(problem === null ? {} : { problem: why(problem) }),
  }));
  return (
    <div ref={all} tabIndex={-1} className={classes['root']}>
      <h3 className={classes['title']}>{t('photo.title')}</h3>
      {photos.length === 0 ? (
        <p className="pg-muted">{t('photo.none')}</p>
      ) : (
        <ul className={classes['grid']} aria-label={t('photo.title')}>
          {photos.map((url, index) => (
            <li key={url} className={classes['photo']}>
              <PhotoThumb url={url} name={name(index)} onOpen={() => setSeen(url)} />
              <span className={recordClasses['write']}>
                <DeskButton
                  variant="quiet"
                  aria-label={t('photo.deleteOne', { photo: name(index) })}
                  onClick={() => {
                    erase.reset();
                    setChosen({ url, name: name(index) });
                    setAsking(true);
                  }}
                >
                  {t('photo.delete')}
                </DeskButton>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={recordClasses['write']}>
        {room > 0 || files.length > 0 ? (
          <FileDrop
            label={t('photo.add')}
            kinds={t('photo.kinds')}
            accept={['image/jpeg', 'image/png', 'image/webp']}
            maxBytes={largestSaid}
            maxFiles={Math.max(1, room)}
            disabled={room <= 0}
            files={files}
            onAdd={add}
            onRemove={remove}
            onRetry={again}
          />
        ) : null}
        {room <= 0 ? <p className="pg-muted">{t('photo.full', { count: mostPhotos })}</p> : null}
      </div>
      <PhotoViewer photos={photos} url={seen} name={name} onSee={setSeen} />
      <ConfirmDialog
        opened={asking}
        title={t('photo.question', { photo: chosen?.name ?? '' })}
        confirmLabel={t('photo.delete')}
        cancelLabel={t('photo.keep')}
        danger
        loading={erase.isPending}
        onConfirm={() => chosen && erase.mutate(chosen.url)}
        onCancel={() => setAsking(false)}
      >
        {erase.isError ? (
          <ErrorState led failure={asProblem(erase.error)} title={t('photo.deleteFailed')} />
        ) : (
          t('photo.deleteHelp')
        )}
      </ConfirmDialog>
    </div>
  );
}
