import { readFile } from '@portage/api';
import { leadBeside } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { IconPhoto, IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './photos.module.css';

/** A photo, read with the person's token. What is under a URL never changes. */
export function usePhoto(url: string) {
  return useQuery({
    queryKey: ['desk', 'photo', url],
    queryFn: ({ signal }) => readFile(url, signal),
    meta: { personal: true },
    staleTime: Infinity,
  });
}

/** A picture that was read. */
export function PhotoImage({ file, name }: { file: Blob; name: string }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!image.current) return undefined;
    const made = URL.createObjectURL(file);
    image.current.src = made;
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return <img ref={image} alt={name} />;
}

interface PhotoThumbProps {
  url: string;
  name: string;
  onOpen: () => void;
}

/** A small photo that opens large, or what there is instead of it. */
export function PhotoThumb({ url, name, onOpen }: PhotoThumbProps) {
  const { t } = useTranslation(['record', 'common']);
  const { data, isError, refetch } = usePhoto(url);
  if (data)
    return (
      <button type="button" className={classes['open']} aria-label={t('photo.open', { photo: name })} onClick={onOpen}>
        <PhotoImage file={data} name="" />
      </button>
    );
  if (!isError)
    return (
      <span className={classes['empty']} role="img" aria-label={t('photo.loading', { photo: name })}>
        <IconPhoto size={28} stroke={1.5} aria-hidden />
      </span>
    );
  return (
    <span className={classes['empty']}>
      <IconPhotoOff size={24} stroke={1.5} aria-hidden />
      <span className="pg-small">{t('photo.failed', { photo: name })}</span>
      <DeskButton
        aria-label={t('photo.again', { photo: name })}
        onClick={(event) => {
          leadBeside(event.currentTarget);
          void refetch();
        }}
      >
        {t('common:action.retry')}
      </DeskButton>
    </span>
  );
}
