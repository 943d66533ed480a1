import { announce, Dialog } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { PhotoImage, usePhoto } from './photo-image.tsx';
import classes from './photos.module.css';

interface PhotoViewerProps {
  photos: readonly string[];
  /** Which is open; null while none is. */
  url: string | null;
  name: (index: number) => string;
  onSee: (url: string | null) => void;
}

/** One photo over the whole window, with the way to the others. One that is deleted meanwhile closes it. */
export function PhotoViewer({ photos, url, name, onSee }: PhotoViewerProps) {
  const { t } = useTranslation('record');
  const at = url === null ? -1 : photos.indexOf(url);
  /** The last one that was open stays on screen while the dialog goes. */
  const [last, setLast] = useState<{ url: string; at: number } | null>(null);
  if (url !== null && at >= 0 && (last?.url !== url || last.at !== at)) setLast({ url, at });
  if (last === null) return null;
  const title = (index: number) => t('photo.nth', { photo: name(index), count: photos.length });
  const go = (step: 1 | -1) => {
    const next = (at + step + photos.length) % photos.length;
    onSee(photos[next] ?? null);
    announce(title(next));
  };
  const several = photos.length > 1 && at >= 0;
  return (
    <Dialog
      whole
      opened={at >= 0}
      title={title(last.at)}
      onClose={() => onSee(null)}
      actions={
        <>
          {several ? (
            <>
              <DeskButton onClick={() => go(-1)}>{t('photo.previous')}</DeskButton>
              <DeskButton onClick={() => go(1)}>{t('photo.next')}</DeskButton>
            </>
          ) : null}
          <DeskButton onClick={() => onSee(null)}>{t('photo.back')}</DeskButton>
        </>
      }
    >
      <div className={classes['large']}>
        <Large key={last.url} url={last.url} name={name(last.at)} />
      </div>
    </Dialog>
  );
}

function Large({ url, name }: { url: string; name: string }) {
  const { data } = usePhoto(url);
  return data ? <PhotoImage file={data} name={name} /> : null;
}
