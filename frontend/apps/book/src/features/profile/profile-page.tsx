import type { Booking, OwnProfile } from '@portage/api';
import { StartTime, StatusBadge } from '@portage/domain';
import { LinkButton, profileQuery, QueryState } from '@portage/frame';
import { formatName, isLanguage, useLanguage } from '@portage/i18n';
import { Notice, PageHeading } from '@portage/kit';
import { useCardName } from '@portage/payments';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { previousQuery } from '../../booking/checkout/booking-query.ts';
import { UnconfirmedNote } from '../../booking/checkout/unconfirmed-note.tsx';
import classes from './profile.module.css';

/** The overview: the next move, who one is, how one pays. */
export function ProfilePage() {
  const { t } = useTranslation(['profile', 'person']);
  const language = useLanguage();
  const notice = useLocation({ select: (location) => new URLSearchParams(location.searchStr).get('notice') });
  const profile = useQuery(profileQuery);
  const bookings = useQuery(previousQuery(1));
  return (
    <QueryState
      query={profile}
      rows={6}
      renderFailed={(failure) => (
        <>
          <PageHeading title={t('person:title')} />
          {failure}
        </>
      )}
    >
      {(own) => (
        <div className={classes['root']}>
          <PageHeading
            title={
              own.firstName
                ? t('profile:hello', { name: language === 'zh' ? formatName(own.fullName) : own.firstName })
                : t('person:title')
            }
          />
          {notice === 'emailVerified' || notice === 'emailChanged' ? (
            <Notice tone="success" live>
              {notice === 'emailChanged' ? t('profile:emailChanged', { email: own.email }) : t('profile:emailVerified')}
            </Notice>
          ) : null}
          {notice === 'emailTaken' || notice === 'emailLinkDead' ? (
            <Notice tone="warning" live action={<Link to="/profile/settings">{t('profile:emailAgain')}</Link>}>
              {t(`profile:${notice}`)}
            </Notice>
          ) : null}
          <QueryState query={bookings} rows={2}>
            {({ data }) => <NextMove bookings={data} />}
          </QueryState>
          <Person profile={own} />
        </div>
      )}
    </QueryState>
  );
}

function NextMove({ bookings }: { bookings: Booking[] }) {
  const { t } = useTranslation(['profile', 'checkout', 'domain']);
  const [now] = useState(() => Date.now());
  // newest move first: the last one still to come is the next one
  const next = bookings.findLast(
    (booking) => (booking.status === 'pending' || booking.status === 'assigned') && Date.parse(booking.startsAt) > now,
  );
  return (
    <section aria-labelledby="profile-next" className={classes['next']}>
      <h2 id="profile-next">{t('profile:next.title')}</h2>
      {next ? (
        <>
          <p className={classes['when']}>
            <StartTime date={next.date} time={next.time} startsAt={next.startsAt} />
          </p>
          <StatusBadge status={next.status} />
          <p>
            {t('domain:route', {
              pickup: `${next.pickup.street}, ${next.pickup.city}`,
              dropoff: `${next.dropoff.street}, ${next.dropoff.city}`,
            })}
          </p>
          <div>
            <LinkButton to="/profile/bookings/$bookingId" params={{ bookingId: next.id }}>
              {t('checkout:booking.see')}
            </LinkButton>
          </div>
        </>
      ) : (
        <>
          <p className="pg-muted">{t('profile:next.none')}</p>
          {bookings.length === 0 ? <UnconfirmedNote /> : null}
          <div>
            <LinkButton to="/">{t('checkout:bookMove')}</LinkButton>
          </div>
        </>
      )}
      <p>
        <Link to="/profile/bookings">{t('checkout:allBookings')}</Link>
      </p>
    </section>
  );
}

function Person({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation(['profile', 'common', 'payments', 'person', 'shell']);
  const cardName = useCardName();
  const none = <span className="pg-muted">{t('profile:none')}</span>;
  const { billingAddress: address, wallet } = profile;
  const street = [address.unit, address.streetName].filter(Boolean).join(' ');
  const lines = [
    address.aptUnit && street ? `${address.aptUnit}-${street}` : street || address.aptUnit,
    [address.city, address.province, address.postalCode].filter(Boolean).join(' '),
  ].filter(Boolean);
  const language = isLanguage(profile.language) ? t(`common:lang.${profile.language}`) : profile.language;
  const facts: [string, ReactNode][] = [
    [t('profile:field.name'), formatName(profile.fullName) || none],
    [t('person:email'), profile.email],
    [t('person:phone'), profile.phone || none],
    [t('person:language'), language],
    [t('profile:billing.title'), lines.length > 0 ? lines.join(', ') : none],
  ];
  return (
    <>
      <section aria-labelledby="profile-person" className={classes['section']}>
        <h2 id="profile-person">{t('shell:page.userInfo')}</h2>
        <dl className={classes['facts']}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div>
          <LinkButton variant="default" to="/user-info">
            {t('profile:edit')}
          </LinkButton>
        </div>
      </section>
      <section aria-labelledby="profile-card" className={classes['section']}>
        <h2 id="profile-card">{t('payments:card.title')}</h2>
        <p>
          {wallet.card
            ? t('payments:card.ending', { brand: cardName(wallet.card.brand), last4: wallet.card.last4 })
            : t('profile:card.none')}
        </p>
        <div>
          <LinkButton variant="default" to="/profile/settings">
            {t('profile:card.change')}
          </LinkButton>
        </div>
      </section>
    </>
  );
}
