import { type components, readFile } from '@portage/api';
import { IconPhoto } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './photos.module.css';

export type JobPhoto = components['schemas']['JobPhoto'];

const stages = ['before', 'after'] as const;

interface CrewPhotosProps {
  photos: readonly JobPhoto[];
  /** Says when a photo was taken, and by whom. */
  caption: (photo: JobPhoto) => string;
  /** A picture that is shown until the photo is there, and instead of one that cannot be fetched. */
  small?: (photo: JobPhoto) => string | undefined;
  /** The photo was fetched. */
  onRead?: (photo: JobPhoto, file: Blob) => void;
  /** What can be done with a photo of this name. */
  renderAction?: (photo: JobPhoto, name: string) => ReactNode;
}

/** Photos of a crew, those of before the work apart from those of after it. */
export function CrewPhotos({ photos, caption, small, onRead, renderAction }: CrewPhotosProps) {
  const { t } = useTranslation('crewJob');
  return stages.map((stage) => {
    const own = photos.filter((photo) => photo.stage === stage);
    if (own.length === 0) return null;
    return (
      <div key={stage} className={classes['stage']}>
        <h3 className={classes['title']}>{t(`photos.${stage}`)}</h3>
        <ul className={classes['grid']}>
          {own.map((photo, index) => {
            const name = t(`photo.${stage}`, { n: index + 1 });
            return (
              <li key={photo.id}>
                <figure className={classes['photo']}>
                  <Picture photo={photo} name={name} small={small?.(photo)} onRead={onRead} />
                  <figcaption>{caption(photo)}</figcaption>
                </figure>
                {renderAction?.(photo, name)}
              </li>
            );
          })}
        </ul>
      </div>
    );
  });
}

interface PictureProps {
  photo: JobPhoto;
  name: string;
  small: string | undefined;
  onRead: ((photo: JobPhoto, file: Blob) => void) | undefined;
}

/** One photo, read with the person's token. */
function Picture({ photo, name, small, onRead }: PictureProps) {
  const { t } = useTranslation('crewJob');
  const { url } = photo;
  const { data, isError } = useQuery({
    queryKey: ['desk', 'photo', url],
    queryFn: ({ signal }) => readFile(url, signal),
    meta: { personal: true },
    staleTime: Infinity,
  });
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!data || !image.current) return undefined;
    const made = URL.createObjectURL(data);
    image.current.src = made;
    return () => URL.revokeObjectURL(made);
  }, [data]);
  const told = useRef<Blob | null>(null);
  useEffect(() => {
    if (!data || told.current === data) return;
    told.current = data;
    onRead?.(photo, data);
  }, [data, photo, onRead]);
  if (data) return <img ref={image} alt={name} />;
  if (small) return <img src={small} alt={name} />;
  return (
    <span className={classes['empty']} role="img" aria-label={isError ? t('photo.unread', { photo: name }) : name}>
      <IconPhoto size={28} stroke={1.5} aria-hidden />
    </span>
  );
}
