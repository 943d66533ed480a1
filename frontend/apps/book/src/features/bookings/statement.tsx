import { api, type Booking, unwrap } from '@portage/api';
import { StatementTable } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { useLanguage } from '@portage/i18n';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from '../../booking/checkout/booking-query.ts';
import classes from './bookings.module.css';

/** Below the booking's own key: what changes the booking changes its account. Its words come in the page's language. */
const statementQuery = (id: string, language: string) =>
  queryOptions({
    queryKey: [...bookingQuery(id).queryKey, 'statement', language],
    queryFn: ({ signal }) => unwrap(api.GET('/c/bookings/{id}/statement', { params: { path: { id } }, signal })),
    meta: { personal: true },
  });

/** What was agreed, charged and given back, and what that left to pay; fetched when it is asked for. */
export function BookingStatement({ booking }: { booking: Booking }) {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  const [opened, setOpened] = useState(false);
  const query = useQuery({ ...statementQuery(booking.id, language), enabled: opened });
  return (
    <details className={classes['statement']} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>{t('statement.open')}</summary>
      {opened ? <QueryState query={query}>{(statement) => <StatementTable statement={statement} />}</QueryState> : null}
    </details>
  );
}
