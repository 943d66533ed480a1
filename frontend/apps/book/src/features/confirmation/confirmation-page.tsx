import { Button } from '@mantine/core';
import type { Booking } from '@portage/api';
import { LinkButton, QueryState, useConfig } from '@portage/frame';
import { formatDateTime, formatSentences, useLanguage } from '@portage/i18n';
import { Notice, PageHeading } from '@portage/kit';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { usePolicyValues } from '@portage/domain';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from '../../booking/checkout/booking-query.ts';
import { CalendarLink } from '../../booking/checkout/calendar-link.tsx';
import { HowPaid } from '../../booking/checkout/how-paid.tsx';
import { lastBooking } from '../../booking/checkout/last-booking.ts';
import { Photos } from '../../booking/checkout/photos.tsx';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { RequireSession } from '../../shell/require-session.tsx';
import classes from './confirmation.module.css';
import { DrawnLine } from './drawn-line.tsx';
import { Pass } from './pass.tsx';

/** Answers three questions: is it booked, what happens next, how do I change it. Made from the server's record, so it survives a reload. */
export function ConfirmationPage() {
  const { booking } = useSearch({ from: '/site/confirmation' });
  const id = booking ?? lastBooking.read()?.id;
  if (!id) return <Navigate to="/profile/bookings" replace />;
  return (
    <RequireSession>
      <Confirmation id={id} />
    </RequireSession>
  );
}

function Confirmation({ id }: { id: string }) {
  const { t } = useTranslation('checkout');
  const query = useQuery(bookingQuery(id));
  return (
    <QueryState
      query={query}
      rows={6}
      renderFailed={(failure) => (
        <>
          <PageHeading title={t('booking.title')} />
          {failure}
        </>
      )}
    >
      {(booking) =>
        booking.status === 'cancelled' || booking.status === 'deleted' ? (
          <Cancelled booking={booking} />
        ) : (
          <Confirmed booking={booking} />
        )
      }
    </QueryState>
  );
}

/** An old link or a kept tab may lead here after the booking was given up: nothing of it is promised any more. */
function Cancelled({ booking }: { booking: Booking }) {
  const { t } = useTranslation(['confirmation', 'checkout', 'shell']);
  return (
    <div className={classes['root']}>
      <PageHeading title={t('checkout:booking.cancelled')} lead={t('cancelled.lead', { id: booking.shortId })} />
      <div className={classes['actions']}>
        <LinkButton to="/profile/bookings/$bookingId" params={{ bookingId: booking.id }}>
          {t('checkout:booking.see')}
        </LinkButton>
      </div>
      <section aria-labelledby="help" className={classes['section']}>
        <h2 id="help">{t('shell:support.title')}</h2>
        <SupportLinks />
      </section>
    </div>
  );
}

function Confirmed({ booking }: { booking: Booking }) {
  const { t } = useTranslation(['confirmation', 'checkout', 'domain', 'shell']);
  const language = useLanguage();
  const config = useConfig();
  const [now] = useState(() => new Date().toISOString());
  const values = usePolicyValues(booking.paymentPlan.policy);
  const free = booking.paymentPlan.cancellation.find((window) => Number(window.kept) === 0);
  return (
    <div className={classes['root']}>
      <DrawnLine id={booking.id} />
      <PageHeading
        title={t('confirmation:title')}
        lead={<>{config ? t('confirmation:booking.confirmed', { email: config.supportEmail }) : null}</>}
      />
      <Pass booking={booking} />
      <div className={classes['actions']}>
        <CalendarLink booking={booking} />
        <Button
          variant="default"
          onClick={() => window.print()}
          leftSection={<IconPrinter size={20} stroke={1.75} aria-hidden />}
        >
          {t('confirmation:print')}
        </Button>
      </div>
      <section aria-labelledby="next" className={classes['section']} data-screen>
        <h2 id="next">{t('checkout:next.title')}</h2>
        <ul className={classes['list']}>
          <li>{t('confirmation:next.email', { email: booking.customerEmail })}</li>
          <li>{t('checkout:next.crew')}</li>
        </ul>
        <HowPaid booking={booking} now={now} />
        {config?.mode === 'demo' ? (
          <div className={classes['demo']}>
            <Notice>
              <a href="/simulators/mailbox">{t('shell:demo.mailbox')}</a>
            </Notice>
          </div>
        ) : null}
      </section>
      <div className={classes['section']} data-screen>
        <Photos booking={booking} />
      </div>
      <section aria-labelledby="change" className={classes['section']}>
        <h2 id="change">{t('confirmation:change.title')}</h2>
        <p>
          {formatSentences(
            [
              // nothing is promised that the server would refuse
              booking.mayEdit === false ? t('checkout:changeClosed', values) : t('confirmation:change.text', values),
              free?.until && free.until > now
                ? t('domain:rule.cancelFreeUntil', {
                    deadline: formatDateTime(free.until, booking.zone, language, true),
                  })
                : null,
            ],
            language,
          )}
        </p>
        <div className={classes['actions']}>
          <LinkButton to="/profile/bookings/$bookingId" params={{ bookingId: booking.id }}>
            {booking.mayEdit === false ? t('checkout:booking.see') : t('confirmation:change.see')}
          </LinkButton>
        </div>
      </section>
      <section aria-labelledby="help" className={classes['section']} data-screen>
        <h2 id="help">{t('shell:support.title')}</h2>
        <SupportLinks />
      </section>
      <p className={classes['section']} data-screen>
        <Link to="/thank-you">{t('confirmation:done')}</Link>
      </p>
    </div>
  );
}
