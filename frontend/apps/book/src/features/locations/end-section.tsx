import { Button } from '@mantine/core';
import { AddressSearch, isComplete, ManualAddress, type Place, toPlace, useMyLocation } from '@portage/address';
import type { GeoResult } from '@portage/api';
import { AddressLine } from '@portage/domain';
import { BusyButton, fieldId, Notice, useFieldMessage } from '@portage/kit';
import { IconCurrentLocation } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import { byHandOf, type End, takenPlace } from '../../booking/draft/ends.ts';
import classes from './end-section.module.css';
import { EndAccess } from './end-access.tsx';
import type { LocationsValues } from './locations-form.ts';

/** One end of the move: find and confirm the address, then how one gets in and out. */
export function EndSection({
  end,
  control,
  refused,
}: {
  end: End;
  control: Control<LocationsValues>;
  /** Why the server does not take the address, until it is another one. */
  refused: string | null;
}) {
  const { t } = useTranslation(['locations', 'domain', 'wizard']);
  const message = useFieldMessage();
  const { field, fieldState } = useController({ control, name: `${end}.place` });
  const place = field.value;
  const { field: typed } = useController({ control, name: `${end}.typed` });
  const { field: byHand } = useController({ control, name: `${end}.byHand` });
  const manual = byHand.value.open;
  const [pressed, setPressed] = useState(false);
  const [focusOnOpen, setFocusOnOpen] = useState(false);
  // "Change" was pressed, or something else begun before a reload: the chosen address waits until another one is taken
  const changing = pressed || manual || Boolean(typed.value?.trim());
  const [nearby, setNearby] = useState<GeoResult | null>(null);
  const complete = place !== null && place.coords !== null && isComplete(place.address);
  const name = fieldId(`${end}.place`);
  // an act that puts another control in the place of the one pressed: that one takes the focus, unless it has gone elsewhere
  const section = useRef<HTMLElement>(null);
  const [acts, setActs] = useState(0);
  const acted = () => setActs((now) => now + 1);
  useEffect(() => {
    const at = document.activeElement;
    if (acts > 0 && (at === document.body || section.current?.contains(at))) document.getElementById(name)?.focus();
  }, [acts, name]);
  const label = t(`wizard:way.${end}`);

  const take = (next: Place) => {
    const taken = takenPlace(next);
    typed.onChange(taken.typed);
    byHand.onChange(taken.byHand);
    field.onChange(taken.place);
    setPressed(false);
    setNearby(null);
    acted();
  };
  const text = typed.value ?? (changing && complete ? '' : (place?.address.fullAddress ?? ''));
  const openByHand = () => {
    acted();
    const { street, city, postalCode } = byHand.value;
    if (city || postalCode) byHand.onChange({ ...byHand.value, open: true });
    else if (typed.value === null && place !== null && !complete) byHand.onChange(byHandOf(place.address));
    else byHand.onChange({ ...byHand.value, open: true, street: text.trim() || street });
  };
  const takeResult = (result: GeoResult) => take(toPlace(result));
  const me = useMyLocation(setNearby, end === 'pickup' && place === null);

  const confirmed = complete && place !== null && !changing;
  const error = message(fieldState.error?.message, label);

  return (
    <section ref={section} className={classes['root']} data-end={end} aria-labelledby={`${end}-title`}>
      <span className={classes['dot']} data-done={confirmed || undefined} aria-hidden />
      <div className={classes['body']}>
        <h2 id={`${end}-title`}>{t(`domain:end.${end}`)}</h2>
        {confirmed ? (
          <div className={classes['confirmed']}>
            <div id={`${name}-chosen`}>
              <AddressLine address={place.address} />
            </div>
            <Button
              id={name}
              variant="default"
              size="sm"
              onClick={() => {
                setFocusOnOpen(true);
                setPressed(true);
              }}
              aria-label={t('wizard:changeWhat', { what: label })}
              aria-describedby={refused ? `${name}-chosen ${name}-refused` : `${name}-chosen`}
            >
              {t('wizard:change')}
            </Button>
          </div>
        ) : manual ? (
          <ManualAddress
            id={name}
            values={byHand.value}
            onChange={byHand.onChange}
            error={error !== undefined}
            onDone={take}
            onCancel={() => {
              byHand.onChange({ ...byHand.value, open: false });
              acted();
            }}
          />
        ) : (
          <div>
            <AddressSearch
              key={place?.address.fullAddress ?? 'new'}
              id={name}
              label={label}
              text={text}
              onText={(next) => {
                setPressed(true);
                typed.onChange(next);
              }}
              focusOnOpen={focusOnOpen}
              error={error}
              onChoose={takeResult}
              onManual={openByHand}
            />
            {end === 'pickup' ? (
              <div className={classes['location']}>
                <BusyButton
                  variant="default"
                  size="sm"
                  leftSection={<IconCurrentLocation size={18} stroke={1.75} aria-hidden />}
                  loading={me.locating}
                  onClick={me.locate}
                >
                  {t('location.use')}
                </BusyButton>
                {nearby ? (
                  <Notice
                    live
                    action={
                      nearby.street ? (
                        <Button size="sm" onClick={() => takeResult(nearby)}>
                          {t('location.take')}
                        </Button>
                      ) : undefined
                    }
                  >
                    {t('location.found', {
                      place: nearby.fullAddress || [nearby.city, nearby.province].filter(Boolean).join(', '),
                    })}
                  </Notice>
                ) : null}
                {me.trouble ? (
                  <Notice tone="warning" live>
                    {me.trouble === 'provinceNotServed' ? t('area.provinceDefault') : t('area.noCoordinates')}
                  </Notice>
                ) : null}
              </div>
            ) : null}
          </div>
        )}
        {complete && changing ? (
          <Notice
            action={
              <Button size="sm" variant="default" onClick={() => take(place)}>
                {t('address.keep')}
              </Button>
            }
          >
            {t('address.now', { address: place.address.fullAddress })}
          </Notice>
        ) : null}
        {refused && place !== null ? (
          <div id={`${name}-refused`}>
            <Notice tone="error" live>
              {refused}
            </Notice>
          </div>
        ) : null}
        {confirmed && place.area?.exact === false ? <Notice tone="warning">{t('address.rough')}</Notice> : null}
        {confirmed ? <EndAccess end={end} control={control} /> : null}
      </div>
    </section>
  );
}
