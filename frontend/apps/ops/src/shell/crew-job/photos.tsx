import { type components, readFile } from '@portage/api';
import { IconPhoto } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './photos.module.css';

export type JobPhoto = components['schemas']['JobPhoto'];

const stages = ['before', 'after'] as const;

/** Photos of a crew, those of before the work apart from those of after it; `caption` says of each when and by whom. */
export function CrewPhotos({ photos, caption }: { photos: readonly JobPhoto[]; caption: (photo: JobPhoto) => string }) {
  const { t } = useTranslation('crewJob');
  return stages.map((stage) => {
    const own = photos.filter((photo) => photo.stage === stage);
    if (own.length === 0) return null;
    return (
      <div key={stage} className={classes['stage']}>
        <h3 className={classes['title']}>{t(`photos.${stage}`)}</h3>
        <ul className={classes['grid']}>
          {own.map((photo, index) => (
            <li key={photo.id}>
              <figure className={classes['photo']}>
                <Picture url={photo.url} name={t(`photo.${stage}`, { n: index + 1 })} />
                <figcaption>{caption(photo)}</figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

/** One photo, read with the person's token. */
function Picture({ url, name }: { url: string; name: string }) {
  const { t } = useTranslation('crewJob');
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
  if (data) return <img ref={image} alt={name} />;
  return (
    <span className={classes['empty']} role="img" aria-label={isError ? t('photo.unread', { photo: name }) : name}>
      <IconPhoto size={28} stroke={1.5} aria-hidden />
    </span>
  );
}
