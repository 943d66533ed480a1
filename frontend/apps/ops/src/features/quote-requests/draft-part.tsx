import type { QuoteRequestRecord } from '@portage/api';
import { AddressLine, useAccessFacts } from '@portage/domain';
import { catalogueQuery } from '@portage/furniture';
import { formatCalendarDate, formatDayAndClock, formatList, formatWallTime, useLanguage } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { addressOf } from '../../shell/draft-address.ts';
import classes from './requests.module.css';

type DraftBody = QuoteRequestRecord['bookingRequest'];

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The move as its guest left it; whatever was not said yet is said to be so. */
export function DraftPart({ draft }: { draft: DraftBody }) {
  const { t } = useTranslation(['requests', 'domain']);
  const language = useLanguage();
  const facts = useAccessFacts();
  const catalogue = useQuery(catalogueQuery).data?.data ?? [];
  const items = (draft.selectedFurnitures ?? []).filter(({ quantity }) => quantity > 0);
  const name = (id: string) => catalogue.find((item) => item.id === id)?.name[language] ?? id;
  const end = (side: 'pickup' | 'dropoff') => {
    const address = addressOf(draft[side]);
    const access = facts({
      floor: draft[`${side}Floor`],
      elevator: draft[`${side}HasElevator`],
      parking: draft[`${side}HasParking`],
    });
    const carry = draft[`${side}Accessibility`];
    const ways = [...access, ...(carry ? [t(`domain:access.carry.${carry}`)] : [])];
    const details = draft[`${side}Details`];
    return (
      <Row name={t(`domain:end.${side}`)}>
        {address ? <AddressLine address={address} unit={draft[`${side}AptUnit`] ?? ''} /> : t('unknown')}
        {ways.length > 0 ? (
          <span className="pg-small pg-muted" style={{ display: 'block' }}>
            {ways.join(' · ')}
          </span>
        ) : null}
        {details ? <span className={classes['words']}>{details}</span> : null}
      </Row>
    );
  };
  const day = draft.date ? formatCalendarDate(draft.date, language, { dateStyle: 'full' }) : null;
  const crew = [
    ...(draft.mateCount == null ? [] : [t('domain:count.mates', { count: draft.mateCount })]),
    ...(draft.clientAsMate ? [t('crew.client')] : []),
    ...(draft.justMates ? [t('crew.noTruck')] : []),
    ...(draft.rideAlong ? [t('crew.rideAlong')] : []),
  ];
  const services = draft.extraServices ?? [];
  return (
    <section className={classes['part']} aria-labelledby="move">
      <h2 id="move">{t('move')}</h2>
      <dl className={classes['facts']}>
        {end('pickup')}
        {end('dropoff')}
        <Row name={t('col.date')}>
          {day === null
            ? t('unknown')
            : draft.time
              ? formatDayAndClock(day, formatWallTime(draft.time, language), language)
              : day}
        </Row>
        {draft.bookingType ? <Row name={t('kind')}>{t(`domain:moveKind.${draft.bookingType}`)}</Row> : null}
        <Row name={t('crew')}>{crew.length > 0 ? crew.join(' · ') : t('unknown')}</Row>
        <Row name={t('items')}>
          {items.length === 0 ? (
            t('noItems')
          ) : (
            <ul className={classes['list']}>
              {items.map(({ id, quantity }) => (
                <li key={id}>
                  {quantity} × {name(id)}
                </li>
              ))}
            </ul>
          )}
        </Row>
        {services.length > 0 ? (
          <Row name={t('services')}>
            {formatList(
              services.map((service) => t(`domain:lineCode.${service}`)),
              language,
            )}
          </Row>
        ) : null}
        {draft.comments ? (
          <Row name={t('comments')}>
            <span className={classes['words']}>{draft.comments}</span>
          </Row>
        ) : null}
      </dl>
    </section>
  );
}
