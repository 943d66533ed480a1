import { Button } from '@mantine/core';
import type { Booking } from '@portage/api';
import { Glyph, StartTime, StatusBadge } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { announce, EmptyState, Money, PageHeading } from '@portage/kit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { pageSize, previousQuery } from '../../booking/checkout/booking-query.ts';
import { UnconfirmedNote } from '../../booking/checkout/unconfirmed-note.tsx';
import classes from './bookings.module.css';

/** All of one's own bookings, newest move first. The page is in the address. */
export function BookingsPage() {
  const { t } = useTranslation(['bookings', 'checkout', 'common', 'shell']);
  const { page = 1 } = useSearch({ from: '/account/profile/bookings' });
  const query = useQuery({ ...previousQuery(page), placeholderData: keepPreviousData });
  const pages = Math.max(1, Math.ceil((query.data?.total ?? 0) / pageSize));
  const arrived = query.isSuccess && !query.isPlaceholderData;
  useEffect(() => {
    if (arrived && pages > 1) announce(t('bookings:page.of', { page, pages }));
  }, [arrived, page, pages, t]);

  return (
    <>
      <PageHeading title={t('shell:page.bookings')} />
      <QueryState query={query} rows={6} height={32}>
        {({ data, total }) =>
          total === 0 ? (
            <>
              <UnconfirmedNote />
              <EmptyState
                title={t('bookings:booking.none')}
                glyph={<Glyph name="portage" size={120} />}
                action={
                  <Button component={Link} to="/">
                    {t('checkout:bookMove')}
                  </Button>
                }
              />
            </>
          ) : (
            <>
              <ul className={classes['list']} aria-busy={query.isPlaceholderData}>
                {data.map((booking) => (
                  <Row key={booking.id} booking={booking} />
                ))}
              </ul>
              {data.length === 0 ? <p>{t('bookings:page.past')}</p> : null}
              {pages > 1 ? <Pages page={page} pages={pages} /> : null}
            </>
          )
        }
      </QueryState>
    </>
  );
}

function Row({ booking }: { booking: Booking }) {
  const { t } = useTranslation('domain');
  return (
    <li className={classes['row']}>
      <div className={classes['rowTop']}>
        <Link to="/profile/bookings/$bookingId" params={{ bookingId: booking.id }} className={classes['rowLink']}>
          <StartTime date={booking.date} time={booking.time} startsAt={booking.startsAt} />
        </Link>
        <StatusBadge status={booking.status} />
      </div>
      <p className={classes['route']}>
        {t('route', {
          pickup: `${booking.pickup.street}, ${booking.pickup.city}`,
          dropoff: `${booking.dropoff.street}, ${booking.dropoff.city}`,
        })}
      </p>
      <p className={classes['rowEnd']}>
        <span className="pg-muted">{booking.shortId}</span>
        <strong>
          <Money value={booking.total} currency={booking.currency} />
        </strong>
      </p>
    </li>
  );
}

function Pages({ page, pages }: { page: number; pages: number }) {
  const { t } = useTranslation('bookings');
  return (
    <nav className={classes['pages']} aria-label={t('page.label')}>
      {page > 1 ? (
        <Link from="/profile/bookings" to="/profile/bookings" search={page === 2 ? {} : { page: page - 1 }} rel="prev">
          {t('page.newer')}
        </Link>
      ) : (
        <span />
      )}
      <span aria-current="page">{t('page.of', { page: Math.min(page, pages), pages })}</span>
      {page < pages ? (
        <Link from="/profile/bookings" to="/profile/bookings" search={{ page: page + 1 }} rel="next">
          {t('page.older')}
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}
