import { AddressLine } from '@portage/domain';
import { DeskButton } from '@portage/kit/desk/button';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { AddressEntryProps } from './address-entry.tsx';
import classes from './end-place.module.css';
import { type MoveEnd, placed } from './move-ends.ts';

interface EndPlaceProps {
  id: string;
  end: MoveEnd;
  error: string | undefined;
  onEnd: (end: MoveEnd) => void;
  /** What an address is found with: a page that seldom needs it fetches it when it does. */
  entry: (props: AddressEntryProps) => ReactNode;
  /** The address that stays when no other one is taken after all. */
  before?: MoveEnd;
}

/** The address of one end: as it was taken, or the search for another one. */
export function EndPlace({ id, end, error, onEnd, entry, before }: EndPlaceProps) {
  const { t } = useTranslation('order');
  const [changing, setChanging] = useState(false);
  // counts: the same button may come back several times
  const [left, setLeft] = useState(0);
  const taken = placed(end) && !changing;
  useEffect(() => {
    // what was pressed is gone: what stands in its place takes the focus, the button or the first field by hand
    if (left > 0) document.getElementById(id)?.focus({ preventScroll: true });
  }, [left, id]);
  const leave = () => {
    setChanging(false);
    setLeft((now) => now + 1);
  };
  if (taken && end.place)
    return (
      <div className={classes['taken']}>
        <AddressLine address={end.place.address} />
        <DeskButton id={id} onClick={() => setChanging(true)}>
          {t('end.change')}
        </DeskButton>
        {end.place.area?.exact === false ? <p className="pg-help">{t('end.rough')}</p> : null}
        {error ? <p className="pg-error">{error}</p> : null}
      </div>
    );
  return (
    <>
      {entry({ id, end, error, focusOnOpen: changing, onEnd, onTaken: leave })}
      {before ? (
        <DeskButton
          variant="quiet"
          onClick={() => {
            onEnd(before);
            leave();
          }}
        >
          {t('end.keep')}
        </DeskButton>
      ) : null}
    </>
  );
}
