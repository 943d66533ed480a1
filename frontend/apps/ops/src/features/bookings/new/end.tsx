import { AddressSearch, emptyByHand, isComplete, ManualAddress, type Place, toPlace } from '@portage/address';
import { AddressLine } from '@portage/domain';
import { DeskButton } from '@portage/kit/desk/button';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import formClasses from '../parts/form.module.css';
import { Group } from '../parts/move-fields.tsx';
import { fieldId } from './errors.ts';
import { type OrderEnd, placed, type Side } from './form.ts';
import classes from './new.module.css';

interface EndProps {
  side: Side;
  end: OrderEnd;
  error: string | undefined;
  onEnd: (end: OrderEnd) => void;
  /** The fields of its doors. */
  children: ReactNode;
}

/** One end of the move: the address, searched or by hand, and how one gets in. */
export function End({ side, end, error, onEnd, children }: EndProps) {
  const { t } = useTranslation(['order', 'domain']);
  const [changing, setChanging] = useState(false);
  const id = fieldId(side);
  const taken = placed(end) && !changing;
  const take = (place: Place) => {
    setChanging(false);
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
  return (
    <Group title={t(side === 'pickup' ? 'group.from' : 'group.to')}>
      <div className={formClasses['wide']}>
        {taken && end.place ? (
          <div className={classes['taken']}>
            <AddressLine address={end.place.address} />
            <DeskButton id={id} onClick={() => setChanging(true)}>
              {t('end.change')}
            </DeskButton>
            {end.place.area?.exact === false ? <p className="pg-help">{t('end.rough')}</p> : null}
            {error ? <p className="pg-error">{error}</p> : null}
          </div>
        ) : end.byHand.open ? (
          <ManualAddress
            id={id}
            values={end.byHand}
            error={error !== undefined}
            onChange={(byHand) => onEnd({ ...end, byHand })}
            onDone={take}
            onCancel={() => onEnd({ ...end, byHand: { ...end.byHand, open: false } })}
          />
        ) : (
          <AddressSearch
            id={id}
            label={t('end.address')}
            text={end.text}
            onText={(text) => onEnd({ ...end, text })}
            error={error}
            focusOnOpen={changing}
            onChoose={(result) => take(toPlace(result))}
            onManual={() =>
              onEnd({ ...end, byHand: { ...end.byHand, open: true, street: end.text.trim() || end.byHand.street } })
            }
          />
        )}
      </div>
      {children}
    </Group>
  );
}
