import type { BookedLocation, BookingDetail } from '@portage/api';
import { AddressLine } from '@portage/domain';
import { CarryLine } from '@portage/kit';
import { useTranslation } from 'react-i18next';

/** Both doors on the carry line, with the way to each. */
export function Ends({ booking }: { booking: BookingDetail }) {
  const { t } = useTranslation('bookings');
  const over = booking.status !== 'pending' && booking.status !== 'assigned';
  return (
    <CarryLine
      label={t('ends')}
      points={[
        { key: 'pickup', state: 'done', title: t('pickup'), children: <End end={booking.pickup} /> },
        {
          key: 'dropoff',
          state: over ? 'done' : 'planned',
          title: t('dropoff'),
          children: <End end={booking.dropoff} />,
        },
      ]}
    />
  );
}

function End({ end }: { end: BookedLocation }) {
  const { t } = useTranslation(['bookings', 'domain']);
  const access = [
    t('bookings:access.floor', { floor: end.floor }),
    end.elevator === 0 ? t('bookings:access.noElevator') : t('bookings:access.elevators', { count: end.elevator }),
    end.parking ? t('bookings:access.parking') : t('bookings:access.noParking'),
    t(`domain:accessibility.${end.accessibility}`),
  ];
  return (
    <>
      <AddressLine address={end} />
      <div className="pg-small pg-muted">{access.join(' · ')}</div>
      {end.details ? <div className="pg-small">{end.details}</div> : null}
    </>
  );
}
