import { asProblem, type Booking } from '@portage/api';
import { Arrival, PriceBreakdown, StartTime, StatusBadge, useDurationText, usePolicyValues } from '@portage/domain';
import { LinkButton, QueryState } from '@portage/frame';
import { formatDistance, formatList, useLanguage } from '@portage/i18n';
import { Notice, PageHeading } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from '../../booking/checkout/booking-query.ts';
import { CalendarLink } from '../../booking/checkout/calendar-link.tsx';
import { chargedByItself, HowPaid } from '../../booking/checkout/how-paid.tsx';
import { ItemList } from '../../booking/checkout/item-list.tsx';
import { Photos } from '../../booking/checkout/photos.tsx';
import { UnconfirmedNote } from '../../booking/checkout/unconfirmed-note.tsx';
import { editSaved } from '../../booking/edit/edit-saved.ts';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import classes from './bookings.module.css';
import { CancelBooking } from './cancel-booking.tsx';
import { CancelledNotice } from './cancelled-notice.tsx';
import { ConsentNotice } from './consent-notice.tsx';
import { DeclinedNotice } from './declined-notice.tsx';
import { Documents } from './documents.tsx';
import { Ends } from './ends.tsx';
import { OwedNotice } from './owed-notice.tsx';
import { type PaymentLook, paymentLook, Payments } from './payments.tsx';
import { BookingStatement } from './statement.tsx';
import { TipSection } from './tip-section.tsx';

export function BookingPage() {
  const { t } = useTranslation(['bookings', 'checkout']);
  const { bookingId } = useParams({ from: '/account/profile/bookings/$bookingId' });
  const query = useQuery(bookingQuery(bookingId));
  const renderFailed = (failure: ReactNode, error: unknown) => {
    const { status } = asProblem(error);
    const missing = status === 404 || status === 400;
    return (
      <>
        <PageHeading title={missing ? t('bookings:missing') : t('checkout:booking.title')} />
        {missing ? <p>{t('bookings:missingHelp')}</p> : failure}
        {missing ? <UnconfirmedNote /> : null}
        <p className={classes['back']}>
          <Link to="/profile/bookings">{t('checkout:allBookings')}</Link>
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

/** What of a charge is not told among the payments, or not more than its date. */
const untried: ReadonlySet<PaymentLook> = new Set(['planned', 'void']);

function Detail({ booking }: { booking: Booking }) {
  const { t } = useTranslation(['bookings', 'checkout', 'domain', 'estimate', 'shell']);
  const language = useLanguage();
  const duration = useDurationText();
  const values = usePolicyValues(booking.paymentPlan.policy);
  const [now] = useState(() => new Date().toISOString());
  // said once, to whoever comes from saving a change
  const [edited, setEdited] = useState(() => editSaved.is(booking.id));
  useEffect(() => {
    editSaved.forget();
  }, []);
  const live = booking.status === 'pending' || booking.status === 'assigned';
  const tried = new Set(
    (booking.payments ?? []).filter((one) => !untried.has(paymentLook(one))).map(({ kind }) => kind),
  );
  const crew = [
    t('domain:count.mates', { count: booking.mateCount }),
    ...(booking.clientAsMate ? [t('domain:crew.client')] : []),
    ...(booking.justMates ? [t('domain:crew.noTruck')] : []),
    ...(booking.rideAlong ? [t('domain:crew.rideAlong')] : []),
  ];
  return (
    <div className={classes['detail']}>
      <p className={classes['back']}>
        <Link to="/profile/bookings">{t('checkout:allBookings')}</Link>
      </p>
      <PageHeading title={t('bookings:titleOne', { id: booking.shortId })} />
      <div className={classes['head']}>
        <StatusBadge status={booking.status} />
        <p className={classes['when']}>
          <StartTime date={booking.date} time={booking.time} startsAt={booking.startsAt} />
        </p>
        {live ? (
          <p className={`pg-small pg-muted ${classes['arrival']}`}>
            <Arrival startsAt={booking.startsAt} time={booking.time} window={booking.arrivalWindow} />
          </p>
        ) : null}
      </div>
      {edited ? (
        <Notice tone="success" live led title={t('bookings:editedTitle')} onDismiss={() => setEdited(false)}>
          {t('bookings:edited')}
        </Notice>
      ) : null}
      <CancelledNotice booking={booking} />
      <ConsentNotice booking={booking} />
      <DeclinedNotice booking={booking} />
      <OwedNotice booking={booking} />
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
      {live && booking.mayEdit === false ? <Notice>{t('checkout:changeClosed', values)}</Notice> : null}
      <section aria-labelledby="booking-move">
        <h2 id="booking-move">{t('estimate:summary.title')}</h2>
        <p>{formatList([t(`domain:moveKind.${booking.moveType}`), ...crew], language)}</p>
        <p className="pg-muted">
          {t('bookings:work', {
            duration: duration(booking.estimatedDuration),
            distance: formatDistance(booking.distance, language),
          })}
        </p>
        <Ends booking={booking} />
        {booking.comments ? (
          <>
            <h3>{t('bookings:comments')}</h3>
            <p>{booking.comments}</p>
          </>
        ) : null}
      </section>
      <section aria-labelledby="booking-items">
        <h2 id="booking-items">{t('domain:furniture.title')}</h2>
        <ItemList items={booking.items} volume={booking.totalCubicFeet} />
      </section>
      <Photos booking={booking} />
      <section aria-labelledby="booking-price">
        <h2 id="booking-price">{t('domain:price.title')}</h2>
        <PriceBreakdown price={booking} tip={booking.tip?.amount ?? null} />
      </section>
      {/* a tip is charged to the stored card */}
      {chargedByItself(booking) || booking.tip ? <TipSection booking={booking} /> : null}
      <Payments booking={booking} />
      <BookingStatement booking={booking} />
      <Documents booking={booking} />
      {live ? (
        <section aria-labelledby="booking-dates">
          <h2 id="booking-dates">{t('domain:policy.title')}</h2>
          <HowPaid booking={booking} now={now} done={tried} />
        </section>
      ) : null}
      <section aria-labelledby="booking-help">
        <h2 id="booking-help">{t('shell:support.title')}</h2>
        <SupportLinks />
      </section>
    </div>
  );
}
