import { AddressLine, Arrival, StartTime, useDurationText, useFloorText } from '@portage/domain';
import { catalogueQuery } from '@portage/furniture';
import { useLanguage } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../../booking/draft/draft-store.ts';
import type { DraftEnd } from '../../booking/draft/ends.ts';
import { itemCount } from '../../booking/draft/draft.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import classes from './answers.module.css';

function Row({ name, to, children }: { name: string; to: string; children: ReactNode }) {
  const { t } = useTranslation('wizard');
  return (
    <div className={classes['row']}>
      <dt>{name}</dt>
      <dd className={classes['value']}>{children}</dd>
      <dd>
        <Link to={to} aria-label={t('changeWhat', { what: name })}>
          {t('change')}
        </Link>
      </dd>
    </div>
  );
}

/** Every answer given so far, each with the way back to it. */
export function Answers() {
  const { t } = useTranslation(['quote', 'domain']);
  const language = useLanguage();
  const duration = useDurationText();
  const floorText = useFloorText();
  const draft = useDraft();
  const { estimate } = useEstimate();
  const catalogue = useQuery(catalogueQuery);
  const names = new Map((catalogue.data?.data ?? []).map((item) => [item.id, item.name[language]]));

  const { pickup, dropoff } = draft.ends;
  const access = ({ floor, elevator, parking, accessibility }: DraftEnd) =>
    [
      floorText(floor),
      elevator === 0 ? t('domain:access.noElevator') : t('domain:access.elevators', { count: elevator }),
      parking ? t('domain:access.parking') : t('domain:access.noParking'),
      t(`domain:access.carry.${accessibility}`),
    ].join(' · ');

  const crew = [
    t('domain:count.mates', { count: draft.mateCount }),
    draft.clientAsMate ? t('domain:crew.client') : null,
    draft.justMates ? t('domain:crew.noTruck') : null,
    draft.rideAlong ? t('domain:crew.rideAlong') : null,
  ].filter(Boolean);

  return (
    <dl className={classes['root']}>
      <Row name={t('domain:end.pickup')} to="/locations">
        {pickup.place ? <AddressLine address={pickup.place.address} unit={pickup.unit} /> : null}
        <span className={classes['more']}>{access(pickup)}</span>
        {pickup.details ? <span className={classes['more']}>{pickup.details}</span> : null}
      </Row>
      <Row name={t('domain:end.dropoff')} to="/locations">
        {dropoff.place ? <AddressLine address={dropoff.place.address} unit={dropoff.unit} /> : null}
        <span className={classes['more']}>{access(dropoff)}</span>
        {dropoff.details ? <span className={classes['more']}>{dropoff.details}</span> : null}
      </Row>
      <Row name={t('answer.kind')} to="/move-type">
        {t(`domain:moveKind.${draft.bookingType}`)}
        <span className={classes['more']}>{crew.join(' · ')}</span>
      </Row>
      <Row name={t('domain:furniture.title')} to="/move-type">
        <details>
          <summary>{t('domain:count.items', { count: itemCount(draft) })}</summary>
          <ul className={classes['items']}>
            {draft.selectedFurnitures.map((item) => (
              <li key={item.id}>
                {item.quantity} × {names.get(item.id) ?? item.id}
              </li>
            ))}
          </ul>
        </details>
      </Row>
      <Row name={t('answer.date')} to="/schedule">
        {draft.date ? <StartTime date={draft.date} time={draft.time} startsAt={draft.startsAt} /> : null}
        {draft.time && draft.arrivalWindow ? (
          <span className={classes['more']}>
            <Arrival startsAt={draft.startsAt} time={draft.time} window={draft.arrivalWindow} />
          </span>
        ) : null}
        {estimate ? (
          <span className={classes['more']}>{t('answer.duration', { duration: duration(estimate.duration) })}</span>
        ) : null}
      </Row>
    </dl>
  );
}
