import { Button } from '@mantine/core';
import { AddressSearch, isComplete, toPlace } from '@portage/address';
import type { GeoResult } from '@portage/api';
import { AddressLine } from '@portage/domain';
import { fieldId } from '@portage/kit';
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { changeEnd, type End, ends, placed, takenPlace } from '../../booking/draft/ends.ts';
import classes from './address-pair.module.css';

/** The question the page begins with: both addresses. What is typed and chosen lies in the draft, so the next page goes on with it. */
export function AddressPair({ next }: { next: RefObject<HTMLAnchorElement | null> }) {
  const [changing, setChanging] = useState<End | null>(null);
  /** Where the focus goes once the control that had it is gone. */
  const [towards, setTowards] = useState<{ end: End | null } | null>(null);
  useEffect(() => {
    if (!towards) return;
    const field = towards.end === null ? next.current : document.getElementById(fieldId(`${towards.end}.place`));
    field?.focus();
  }, [towards, next]);

  const taken = (end: End) => {
    setChanging(null);
    // the address still missing comes next; with both there, the way on
    const missing = ends.find((one) => one !== end && !placed(draftStore.get().ends[one]));
    setTowards({ end: missing ?? null });
  };
  return (
    <div className={classes['root']}>
      {ends.map((end) => (
        <EndField
          key={end}
          end={end}
          changing={changing === end}
          onChange={() => {
            setChanging(end);
            setTowards({ end });
          }}
          onTaken={() => taken(end)}
        />
      ))}
    </div>
  );
}

interface EndFieldProps {
  end: End;
  changing: boolean;
  onChange: () => void;
  onTaken: () => void;
}

function EndField({ end, changing, onChange, onTaken }: EndFieldProps) {
  const { t } = useTranslation(['start', 'wizard']);
  const navigate = useNavigate();
  const draft = useDraft();
  const { place, unit, typed } = draft.ends[end];
  const id = fieldId(`${end}.place`);
  const label = t(`wizard:way.${end}`);
  const chosen = placed(draft.ends[end]) && place !== null && typed === null && !changing;

  const choose = (result: GeoResult) => {
    const next = takenPlace(toPlace(result));
    draftStore.patch(changeEnd(draftStore.get(), end, next));
    onTaken();
  };
  const byHand = () => {
    const { byHand: fields } = draftStore.get().ends[end];
    draftStore.patch(
      changeEnd(draftStore.get(), end, { byHand: { ...fields, open: true, street: typed?.trim() || fields.street } }),
    );
    void navigate({ to: '/locations', hash: id });
  };
  return (
    <div className={classes['end']} data-end={end}>
      <span className={classes['dot']} data-done={chosen || undefined} aria-hidden />
      {chosen ? (
        <div className={classes['chosen']}>
          <div id={`${id}-chosen`} className={classes['place']}>
            <AddressLine address={place.address} unit={unit} />
            {isComplete(place.address) ? null : <p className="pg-small pg-muted">{t('start:incomplete')}</p>}
          </div>
          <Button
            id={id}
            variant="default"
            size="sm"
            aria-label={t('wizard:changeWhat', { what: label })}
            aria-describedby={`${id}-chosen`}
            onClick={onChange}
          >
            {t('wizard:change')}
          </Button>
        </div>
      ) : (
        <AddressSearch
          id={id}
          label={label}
          text={typed ?? (changing ? '' : (place?.address.fullAddress ?? ''))}
          onText={(text) => draftStore.patch(changeEnd(draftStore.get(), end, { typed: text === '' ? null : text }))}
          error={undefined}
          onChoose={choose}
          onManual={byHand}
        />
      )}
    </div>
  );
}
