import { AddressSearch, emptyByHand, isComplete, ManualAddress, type Place, toPlace } from '@portage/address';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { MoveEnd } from './move-ends.ts';

export interface AddressEntryProps {
  id: string;
  end: MoveEnd;
  error: string | undefined;
  /** Somebody pressed for another address: the search takes the focus. */
  focusOnOpen: boolean;
  onEnd: (end: MoveEnd) => void;
  /** A place was taken, and this entry is left. */
  onTaken: () => void;
}

/** Finds an address: by the search, or typed field by field. */
export function AddressEntry({ id, end, error, focusOnOpen, onEnd, onTaken }: AddressEntryProps) {
  const { t } = useTranslation('order');
  const [turned, setTurned] = useState(0);
  useEffect(() => {
    // what was pressed is gone: the first field of what came in its place takes the focus
    if (turned > 0) document.getElementById(id)?.focus();
  }, [turned, id]);
  const byHand = (next: MoveEnd['byHand']) => {
    onEnd({ ...end, byHand: next });
    setTurned((now) => now + 1);
  };
  const take = (place: Place) => {
    onTaken();
    const { street, city, province, postalCode } = place.address;
    onEnd({
      place,
      text: '',
      // without a door number or postal code it is completed by hand
      byHand: isComplete(place.address)
        ? emptyByHand()
        : { open: true, street, city, province: province || 'QC', postalCode },
    });
  };
  return end.byHand.open ? (
    <ManualAddress
      id={id}
      values={end.byHand}
      error={error !== undefined}
      onChange={(typed) => onEnd({ ...end, byHand: typed })}
      onDone={take}
      onCancel={() => byHand({ ...end.byHand, open: false })}
    />
  ) : (
    <AddressSearch
      id={id}
      label={t('end.address')}
      text={end.text}
      onText={(text) => onEnd({ ...end, text })}
      error={error}
      focusOnOpen={focusOnOpen}
      onChoose={(result) => take(toPlace(result))}
      onManual={() => byHand({ ...end.byHand, open: true, street: end.text.trim() || end.byHand.street })}
    />
  );
}
