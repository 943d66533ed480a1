import type { BookedLocation, Booking } from '@portage/api';
import { AddressLine, useAccessFacts } from '@portage/domain';
import { CarryLine } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { categoryOf } from '../../booking/draft/ends.ts';

/** Both doors on the carry line, with the way to each. */
export function Ends({ booking }: { booking: Booking }) {
  const { t } = useTranslation('domain');
  const over = booking.status !== 'pending' && booking.status !== 'assigned';
  return (
    <CarryLine
      label={t('end.both')}
      points={[
        { key: 'pickup', state: 'done', title: t('end.pickup'), children: <End end={booking.pickup} /> },
        {
          key: 'dropoff',
          state: over ? 'done' : 'planned',
          title: t('end.dropoff'),
          children: <End end={booking.dropoff} />,
        },
      ]}
    />
  );
}

function End({ end }: { end: BookedLocation }) {
  const { t } = useTranslation(['bookings', 'domain']);
  const facts = useAccessFacts();
  const category = categoryOf('category' in end ? end.category : '');
  const access = [
    ...(category === '' ? [] : [t(`domain:category.${category}`)]),
    ...facts(end),
    t(`domain:access.carry.${end.accessibility}`),
  ];
  return (
    <>
      <AddressLine address={end} />
      <div className="pg-small pg-muted">{access.join(' · ')}</div>
      {end.details ? <div className="pg-small">{end.details}</div> : null}
    </>
  );
}
