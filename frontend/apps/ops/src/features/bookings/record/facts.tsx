import type { BookedLocation, DeskBooking } from '@portage/api';
import { AddressLine, montrealDay, PriceBreakdown, useAccessFacts } from '@portage/domain';
import { catalogueQuery } from '@portage/furniture';
import { formatDistance, formatItems, formatList, formatName, formatNumber, useLanguage } from '@portage/i18n';
import { CarryLine } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';

import { customerQuery } from '../../../shell/customer-query.ts';
import { Crew } from '../parts/crew.tsx';
import { DeskStatus } from '../parts/desk-status.tsx';
import { useMoney } from '../parts/use-money.ts';

import { ConsentList } from './consents.tsx';
import { PhotosPart } from './photos-part.tsx';
import classes from './record.module.css';
import { Fact, Part, Section } from './section.tsx';
import { useShortDay } from './use-when.ts';

export function WhoPart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation(['record', 'bookings', 'common', 'person']);
  const money = useMoney();
  const day = useShortDay();
  const customer = useQuery(customerQuery(booking.id));
  return (
    <Section title={t('part.who')} money>
      <Part query={customer} loading={t('loading')} failed={t('failed')}>
        {({ customer: who, data }) => {
          const others = data.filter((one) => one.id !== booking.id);
          return (
            <dl className={classes['facts']}>
              <Fact name={t('person:email')}>
                <a href={`mailto:${who.email}`}>{who.email}</a>{' '}
                <span className="pg-muted">{who.emailVerified ? t('who.verified') : t('who.unverified')}</span>
              </Fact>
              <Fact name={t('person:language')}>{t(`common:lang.${booking.language}`)}</Fact>
              <Fact name={t('who.card')}>{who.hasCard ? t('bookings:filter.yes') : t('bookings:filter.no')}</Fact>
              <Fact name={t('who.otherMoves')}>
                {others.length === 0 ? (
                  <span className="pg-muted">{t('who.none')}</span>
                ) : (
                  <ul className={classes['others']}>
                    {others.slice(0, 8).map((one) => (
                      <li key={one.id}>
                        <Link to="/bookings/$id" params={{ id: one.id }}>
                          {one.shortId}
                        </Link>
                        <span>{day(one.date)}</span>
                        <DeskStatus status={one.status} />
                        {Number(one.owed) > 0 ? (
                          <span className={classes['priced']}>{t('owed', { amount: money(one.owed) })}</span>
                        ) : null}
                      </li>
                    ))}
                  </ul>
                )}
              </Fact>
            </dl>
          );
        }}
      </Part>
    </Section>
  );
}

function End({ place }: { place: BookedLocation }) {
  const { t } = useTranslation('domain');
  const facts = useAccessFacts();
  return (
    <span className={classes['access']}>
      {[...facts(place), t(`access.carry.${place.accessibility}`)].join(' · ')}
      {place.details ? <span className={classes['quote']}>{place.details}</span> : null}
    </span>
  );
}

// the way stands in words already: where the drawing cannot be fetched, its place stays empty
type Drawn = { default: (props: { booking: DeskBooking }) => ReactNode };
const WayMap = lazy(() =>
  import('./way-map.tsx').then(
    (module): Drawn => ({ default: module.WayMap }),
    (): Drawn => ({ default: () => null }),
  ),
);

export function WherePart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const language = useLanguage();
  const { pickup, dropoff } = booking;
  return (
    <Section title={t('part.where')}>
      <CarryLine
        label={t('where.way')}
        points={[
          {
            key: 'pickup',
            state: 'done',
            title: <AddressLine address={pickup} unit={pickup.aptUnit} />,
            children: <End place={pickup} />,
          },
          {
            key: 'dropoff',
            state: 'planned',
            title: <AddressLine address={dropoff} unit={dropoff.aptUnit} />,
            children: <End place={dropoff} />,
          },
        ]}
      />
      <p className={`pg-muted pg-small ${classes['distance']}`}>
        {t('where.distance', { distance: formatDistance(booking.distance, language) })}
      </p>
      <div className={classes['map']}>
        <Suspense fallback={null}>
          <WayMap booking={booking} />
        </Suspense>
      </div>
    </Section>
  );
}

export function WhatPart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation(['record', 'domain']);
  const language = useLanguage();
  const catalogue = useQuery(catalogueQuery);
  const count = booking.bigItems + booking.smallItems;
  const name = (id: string) => {
    const item = catalogue.data?.data.find((one) => one.id === id);
    return item ? item.name[language] : id;
  };
  return (
    <Section title={t('part.what')}>
      <p>
        {formatList(
          [
            t(`domain:moveKind.${booking.moveType}`),
            t('domain:count.items', { count }),
            t('what.big', { count: booking.bigItems }),
            t('domain:furniture.cubicFeet', { volume: formatNumber(booking.totalCubicFeet, language) }),
          ],
          language,
        )}
      </p>
      <ul className={classes['items']}>
        {booking.items.map((item) => (
          <li key={item.id}>
            <span className="pg-num">{item.quantity} ×</span> {name(item.id)}
          </li>
        ))}
      </ul>
      <dl className={classes['facts']}>
        {booking.extraServices.length > 0 ? (
          <Fact name={t('services')}>
            {formatItems(
              booking.extraServices.map((one) => t(`domain:lineCode.${one}`)),
              language,
            )}
          </Fact>
        ) : null}
        {booking.comments ? <Fact name={t('what.comments')}>{booking.comments}</Fact> : null}
      </dl>
      <PhotosPart booking={booking} />
    </Section>
  );
}

export function CrewPart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation(['record', 'bookings', 'domain']);
  const language = useLanguage();
  const money = useMoney();
  const parts = (booking.crew ?? []).flatMap(({ name, tip }) =>
    tip ? [t('crew.tipPart', { name, amount: money(tip) })] : [],
  );
  const wishes = [
    booking.rideAlong ? t('crew.ride') : null,
    booking.clientAsMate ? t('crew.helps') : null,
    booking.justMates ? t('crew.noTruck') : null,
  ].filter((one) => one !== null);
  return (
    <Section title={t('bookings:col.crew')}>
      <p>
        {t('domain:count.mates', { count: booking.mateCount })} · <Crew booking={booking} />
      </p>
      {wishes.length > 0 || parts.length > 0 ? (
        <dl className={classes['facts']}>
          {wishes.length > 0 ? <Fact name={t('crew.wish')}>{formatItems(wishes, language)}</Fact> : null}
          {parts.length > 0 ? <Fact name={t('crew.tip')}>{formatList(parts, language)}</Fact> : null}
        </dl>
      ) : null}
    </Section>
  );
}

export function PricePart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const language = useLanguage();
  return (
    <Section title={t('part.price')} money>
      <PriceBreakdown
        price={booking}
        tip={booking.tips ?? null}
        figures={booking.language === language ? undefined : { mates: booking.mateCount }}
      />
    </Section>
  );
}

const surveySources = ['advertisements', 'friendsFamily', 'socialMedia', 'partners', 'other'] as const;

export function ConsentPart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const day = useShortDay();
  const { guidelines, survey } = booking;
  const source = surveySources.find((one) => one === survey?.source);
  return (
    <Section title={t('part.consent')} money>
      <dl className={classes['facts']}>
        <Fact name={t('consent.guidelines')}>
          {guidelines
            ? t('consent.agreed', { version: guidelines.version, day: day(montrealDay(guidelines.agreedAt)) })
            : t('consent.none')}
        </Fact>
        {booking.consents.length > 0 ? (
          <Fact name={t('asked.label')}>
            <ConsentList consents={booking.consents} />
          </Fact>
        ) : null}
        <Fact name={t('survey.label')}>
          {source ? t(`survey.${source}`) : t('survey.none')}
          {survey?.specify ? <span className={classes['quote']}>{survey.specify}</span> : null}
        </Fact>
      </dl>
    </Section>
  );
}

/** The name as people say it, for the heading. */
export const titleOf = (booking: DeskBooking) => formatName(booking.customerName);
