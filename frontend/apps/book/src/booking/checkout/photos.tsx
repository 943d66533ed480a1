import { Button } from '@mantine/core';
import { ApiProblem, asProblem, type Booking, deleteFile, readFile } from '@portage/api';
import { ConfirmDialog } from '@portage/frame';
import { keepAnswer } from '@portage/frame/keep-answer';
import { largestPhoto, mostPhotos, type Upload, usePhotoUploads } from '@portage/frame/photo-uploads';
import { formatNumber, useLanguage } from '@portage/i18n';
import { announce, Notice, leadBeside } from '@portage/kit';
import { IconPhoto, IconPhotoPlus, IconTrash, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from './booking-query.ts';
import classes from './photos.module.css';

const open = new Set<Booking['status']>(['pending', 'assigned']);

/** Photos of what is special about a move, for the crew: seen, added and taken away by whoever booked it. */
export function Photos({ booking }: { booking: Pick<Booking, 'id' | 'status' | 'photos'> }) {
  const { t } = useTranslation(['checkout', 'common']);
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  // rows of lists leave them out
  const photos = booking.photos ?? [];
  const { queryKey } = bookingQuery(booking.id);
  const keep = (change: (urls: string[]) => string[]) =>
    keepAnswer<Booking>(queries, { queryKey }, (now) => now && { ...now, photos: change(now.photos ?? []) });

  const { uploads, add, again, remove } = usePhotoUploads(booking.id, (url) => {
    void keep((urls) => (urls.includes(url) ? urls : [...urls, url]));
    announce(t('photos.added'));
  });
  const deletion = useMutation({
    mutationFn: deleteFile,
    onSuccess: async (_, url) => {
      await keep((urls) => urls.filter((one) => one !== url));
      announce(t('photos.removed'));
      button.current?.focus();
    },
  });
  const live = open.has(booking.status);
  if (!live && photos.length === 0) return null;
  const room = mostPhotos - photos.length - uploads.length;
  return (
    <section aria-labelledby="photos" className={classes['root']} data-screen>
      <h2 id="photos">{t('photos.title')}</h2>
      {live ? (
        <p id="photos-help" className="pg-muted">
          {t('photos.help', { megabytes: largestPhoto / 1024 / 1024, count: mostPhotos })}
        </p>
      ) : null}
      {photos.length > 0 ? (
        <ul className={classes['grid']} aria-label={t('photos.title')}>
          {photos.map((url, index) => (
            <li key={url} className={classes['photo']}>
              <Picture url={url} name={t('photos.one', { n: index + 1 })} />
              {live ? (
                <button
                  type="button"
                  className={classes['remove']}
                  aria-label={t('photos.remove', { n: index + 1 })}
                  onClick={() => setRemoving(url)}
                >
                  <IconTrash size={18} stroke={1.75} aria-hidden />
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {uploads.length > 0 ? (
        <ul className={classes['uploads']} aria-label={t('photos.onTheWay')}>
          {uploads.map((upload) => (
            <Sending
              key={upload.key}
              upload={upload}
              onAgain={() => again(upload.key)}
              onRemove={() => {
                remove(upload.key);
                button.current?.focus();
              }}
            />
          ))}
        </ul>
      ) : null}
      {deletion.isError ? (
        <Notice tone="error" live>
          {asProblem(deletion.error).detail || t('common:error.network')}
        </Notice>
      ) : null}
      {live ? (
        <div>
          <Button
            ref={button}
            variant="default"
            aria-describedby="photos-help"
            // never disabled: it may have the focus
            aria-disabled={room <= 0 || undefined}
            leftSection={<IconPhotoPlus size={20} stroke={1.75} aria-hidden />}
            onClick={() => {
              if (room > 0) input.current?.click();
            }}
          >
            {t('photos.add')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            multiple
            accept="image/jpeg,image/png,image/webp"
            data-testid="photo-input"
            onChange={(event) => {
              add([...(event.currentTarget.files ?? [])].slice(0, Math.max(0, room)));
              // the same photo chosen again is a change again
              event.currentTarget.value = '';
            }}
          />
        </div>
      ) : null}
      <ConfirmDialog
        opened={removing !== null}
        title={t('photos.removeTitle')}
        confirmLabel={t('photos.removeYes')}
        danger
        onCancel={() => setRemoving(null)}
        onConfirm={() => {
          if (removing !== null) deletion.mutate(removing);
          setRemoving(null);
        }}
      >
        {t('photos.removeBody')}
      </ConfirmDialog>
    </section>
  );
}

/** One photo, read with the person's token. */
function Picture({ url, name }: { url: string; name: string }) {
  const { t } = useTranslation('checkout');
  const { data, isError } = useQuery({
    queryKey: ['photo', url],
    queryFn: ({ signal }) => readFile(url, signal),
    meta: { personal: true },
    staleTime: Infinity,
  });
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!data || !image.current) return;
    const made = URL.createObjectURL(data);
    image.current.src = made;
    return () => URL.revokeObjectURL(made);
  }, [data]);
  if (data) return <img ref={image} alt={name} />;
  return (
    <span className={classes['empty']} role="img" aria-label={isError ? t('photos.unread', { photo: name }) : name}>
      <IconPhoto size={28} stroke={1.5} aria-hidden />
    </span>
  );
}

/** A photo on its way: how far it is, or why it did not arrive and what to do. */
function Sending({ upload, onAgain, onRemove }: { upload: Upload; onAgain: () => void; onRemove: () => void }) {
  const { t } = useTranslation(['checkout', 'common']);
  const language = useLanguage();
  const { file, state, progress, problem } = upload;
  const why =
    problem === null
      ? null
      : problem === 'tooLarge'
        ? t('photos.tooLarge', { megabytes: largestPhoto / 1024 / 1024 })
        : problem === 'empty'
          ? t('photos.empty')
          : problem.status === 0
            ? t('common:error.network')
            : problem.detail || t('common:page.serverError');
  return (
    <li className={classes['upload']}>
      <div className={classes['about']}>
        <div className={classes['name']}>{file.name}</div>
        {state === 'failed' ? (
          <p role="alert" className="pg-error">
            {why}
          </p>
        ) : (
          <>
            <div className="pg-small pg-muted">
              {state === 'waiting' ? t('photos.waiting') : formatNumber(progress, language, { style: 'percent' })}
            </div>
            <progress aria-label={t('photos.sending', { name: file.name })} value={progress} max={1} />
          </>
        )}
      </div>
      {problem instanceof ApiProblem && problem.transient ? (
        <Button
          size="sm"
          variant="default"
          onClick={(event) => {
            leadBeside(event.currentTarget);
            onAgain();
          }}
        >
          {t('common:action.retry')}
        </Button>
      ) : null}
      <button
        type="button"
        className={classes['stop']}
        aria-label={t('photos.stop', { name: file.name })}
        onClick={onRemove}
      >
        <IconX size={18} stroke={1.75} aria-hidden />
      </button>
    </li>
  );
}
