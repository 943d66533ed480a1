import { asProblem, type BookingDetail } from '@portage/api';
import { Arrival, PolicyTimeline, PriceBreakdown, StartTime, StatusBadge, useDurationText } from '@portage/domain';
import { LinkButton, QueryState } from '@portage/frame';
import { formatNumber, useLanguage } from '@portage/i18n';
import { Notice, PageHeading } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from '../../booking/checkout/booking-query.ts';
import { CalendarLink } from '../../booking/checkout/calendar-link.tsx';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import classes from './bookings.module.css';
import { CancelBooking } from './cancel-booking.tsx';
import { CancelledNotice } from './cancelled-notice.tsx';
import { Ends } from './ends.tsx';
import { ItemList } from './item-list.tsx';
import { Payments } from './payments.tsx';
import { TipSection } from './tip-section.tsx';

export function BookingPage() {
  const { t } = useTranslation('bookings');
  const { bookingId } = useParams({ from: '/account/profile/bookings/$bookingId' });
  const query = useQuery(bookingQuery(bookingId));
  const renderFailed = (failure: ReactNode, error: unknown) => {
    const { status } = asProblem(error);
    const missing = status === 404 || status === 400;
    return (
      <>
        <PageHeading title={missing ? t('missing') : t('one')} />
        {missing ? <p>{t('missingHelp')}</p> : failure}
        <p className={classes['back']}>
          <Link to="/profile/bookings">{t('toList')}</Link>
        </p>
      </>
    );
  };
  return (
    <QueryState query={query} rows={8} renderFailed={renderFailed}>
      {(booking) => <Detail booking={booking} />}
    </QueryState>
  );
}

function Detail({ booking }: { booking: BookingDetail }) {
  const { t } = useTranslation(['bookings', 'common', 'domain']);
  const language = useLanguage();
  const duration = useDurationText();
  const [now] = useState(() => new Date().toISOString());
  const live = booking.status === 'pending' || booking.status === 'assigned';
  const crew = [
    t('common:summary.mates', { count: booking.mateCount }),
    ...(booking.clientAsMate ? [t('bookings:crew.client')] : []),
    ...(booking.justMates ? [t('bookings:crew.noTruck')] : []),
    ...(booking.rideAlong ? [t('bookings:crew.rideAlong')] : []),
  ];
  return (
    <div className={classes['detail']}>
      <p className={classes['back']}>
        <Link to="/profile/bookings">{t('bookings:toList')}</Link>
      </p>
      <PageHeading title={t('bookings:titleOne', { id: booking.shortId })} />
      <div className={classes['head']}>
        <StatusBadge status={booking.status} />
        <p className={classes['when']}>
          <StartTime date={booking.date} time={booking.time} startsAt={booking.startsAt} />
        </p>
        {live ? (
          <p className={`pg-small pg-muted ${classes['arrival']}`}>
            <Arrival startsAt={booking.startsAt} time={booking.time} />
          </p>
        ) : null}
      </div>
      <CancelledNotice booking={booking} />
      {booking.mayEdit || booking.mayCancel || live ? (
        <div className={classes['actions']}>
          {booking.mayEdit ? (
            <LinkButton to="/quote" search={{ edit: booking.id }}>
              {t('bookings:change')}
            </LinkButton>
          ) : null}
          {live ? <CalendarLink booking={booking} /> : null}
          {booking.mayCancel ? <CancelBooking booking={booking} /> : null}
        </div>
      ) : null}
      {live && booking.mayEdit === false ? <Notice>{t('bookings:changeClosed')}</Notice> : null}
      <section aria-labelledby="booking-move">
        <h2 id="booking-move">{t('bookings:move')}</h2>
        <p>
          {t(`domain:moveKind.${booking.moveType}`)}
          {language === 'zh' ? '，' : ', '}
          {crew.join(language === 'zh' ? '，' : ', ')}
        </p>
        <p className="pg-muted">
          {t('bookings:work', {
            duration: duration(booking.estimatedDuration),
            distance: formatNumber(booking.distance, language, {
              style: 'unit',
              unit: 'kilometer',
              maximumFractionDigits: 1,
            }),
          })}
        </p>
        <Ends booking={booking} />
        {booking.comments ? (
          <p>
            <strong>{t('bookings:comments')}</strong> {booking.comments}
          </p>
        ) : null}
      </section>
      <section aria-labelledby="booking-items">
        <h2 id="booking-items">{t('bookings:items')}</h2>
        <ItemList items={booking.items} volume={booking.totalCubicFeet} />
      </section>
      <section aria-labelledby="booking-price">
        <h2 id="booking-price">{t('bookings:price')}</h2>
        <PriceBreakdown price={booking} tip={booking.tip?.amount ?? null} />
      </section>
      <TipSection booking={booking} />
      <Payments booking={booking} />
      {live ? (
        <section aria-labelledby="booking-dates">
          <h2 id="booking-dates">{t('domain:policy.title')}</h2>
          <PolicyTimeline plan={booking.paymentPlan} moveAt={booking.startsAt} promised={booking.time} now={now} />
        </section>
      ) : null}
      <section aria-labelledby="booking-help">
        <h2 id="booking-help">{t('bookings:help')}</h2>
        <SupportLinks />
      </section>
    </div>
  );
}
