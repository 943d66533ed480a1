import { AddressLine, Arrival, StartTime, useDurationText } from '@portage/domain';
import { catalogueQuery } from '@portage/furniture';
import { useLanguage } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../../booking/draft/draft-store.ts';
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
  const draft = useDraft();
  const { estimate } = useEstimate();
  const catalogue = useQuery(catalogueQuery);
  const names = new Map((catalogue.data?.data ?? []).map((item) => [item.id, item.name[language]]));

  const access = (end: 'pickup' | 'dropoff') => {
    const elevators = draft[`${end}HasElevator`];
    const carry = draft[`${end}Accessibility`];
    return [
      t('domain:access.floor', { floor: draft[`${end}Floor`] }),
      elevators === 0 ? t('domain:access.noElevator') : t('domain:access.elevators', { count: elevators }),
      draft[`${end}HasParking`] ? t('domain:access.parking') : t('domain:access.noParking'),
      t(`access.carry.${carry}`),
    ].join(' · ');
  };

  const crew = [
    t('domain:count.mates', { count: draft.mateCount }),
    draft.clientAsMate ? t('domain:crew.client') : null,
    draft.justMates ? t('domain:crew.noTruck') : null,
    draft.rideAlong ? t('domain:crew.rideAlong') : null,
  ].filter(Boolean);

  return (
    <dl className={classes['root']}>
      <Row name={t('domain:end.pickup')} to="/locations">
        {draft.pickup ? <AddressLine address={draft.pickup} unit={draft.pickupAptUnit} /> : null}
        <span className={classes['more']}>{access('pickup')}</span>
        {draft.pickupDetails ? <span className={classes['more']}>{draft.pickupDetails}</span> : null}
      </Row>
      <Row name={t('domain:end.dropoff')} to="/locations">
        {draft.dropoff ? <AddressLine address={draft.dropoff} unit={draft.dropoffAptUnit} /> : null}
        <span className={classes['more']}>{access('dropoff')}</span>
        {draft.dropoffDetails ? <span className={classes['more']}>{draft.dropoffDetails}</span> : null}
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
        {draft.time ? (
          <span className={classes['more']}>
            <Arrival startsAt={draft.startsAt} time={draft.time} />
          </span>
        ) : null}
        {estimate ? (
          <span className={classes['more']}>{t('answer.duration', { duration: duration(estimate.duration) })}</span>
        ) : null}
      </Row>
    </dl>
  );
}
