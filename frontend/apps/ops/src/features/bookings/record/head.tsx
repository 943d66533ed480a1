import type { DeskBooking } from '@portage/api';
import { montrealZone, useDurationText } from '@portage/domain';
import { formatCalendarDate, formatDayAndClock, formatTime, formatWallTime, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { customerQuery } from '../../../shell/customer-query.ts';
import { useHubName } from '../../../shell/hubs.ts';
import { Crew } from '../parts/crew.tsx';
import { Paid } from '../parts/desk-status.tsx';
import { useMoney } from '../parts/use-money.ts';
import { moneyBack, usePaidBy, usePaidSoFar } from './money.ts';
import classes from './record.module.css';

/** When the crew comes, by the clock at the pickup; Montreal's beside it where the two differ. */
export function When({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const language = useLanguage();
  const local = formatWallTime(booking.time, language);
  const here = formatTime(booking.startsAt, montrealZone, language);
  const day = formatCalendarDate(booking.date, language, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  });
  return (
    <time dateTime={booking.startsAt}>
      {formatDayAndClock(day, local, language)}
      {here === local ? null : <span className="pg-muted"> ({t('elsewhere', { time: here })})</span>}
    </time>
  );
}

/** The three answers a caller wants, in two lines: when, how much, who comes; before them how to reach the customer. */
export function Head({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation(['record', 'bookings', 'common']);
  const language = useLanguage();
  const money = useMoney();
  const duration = useDurationText();
  const customer = useQuery(customerQuery(booking.id));
  const hubName = useHubName();
  const { from, until } = booking.arrivalWindow as { from: string; until: string };
  const paidBy = usePaidBy(booking);
  const back = moneyBack(booking);
  const paid = usePaidSoFar(booking);
  const owes = customer.data && Number(customer.data.owes) > 0 ? customer.data.owes : null;
  return (
    <div className={classes['head']}>
      <p className={classes['line']}>
        {booking.customerPhone ? <a href={`tel:${booking.customerPhone}`}>{booking.customerPhone}</a> : null}
        {booking.textsStopped ? <span className={classes['state']}>{t('record:textsStopped')}</span> : null}
        {booking.mailsStopped ? <span className={classes['state']}>{t('record:mailsStopped')}</span> : null}
        <span>{t(`common:lang.${booking.language}`)}</span>
        {customer.data ? <span>{t('record:moves', { count: customer.data.total })}</span> : null}
        {owes ? <span className={classes['owes']}>{t('record:owes', { amount: money(owes) })}</span> : null}
      </p>
      <p className={classes['answers']}>
        <strong>
          <When booking={booking} />
        </strong>
        <span>
          {t('record:arrival', { from: formatWallTime(from, language), until: formatWallTime(until, language) })}
        </span>
        <span>{t('record:about', { duration: duration(booking.estimatedDuration) })}</span>
        <span>{hubName(booking.hub)}</span>
      </p>
      <p className={classes['answers']}>
        <span className={classes['priced']}>
          <strong>
            <Money value={booking.total} currency={booking.currency} />
          </strong>{' '}
          {t('record:inAll')}
        </span>
        {booking.paymentProblem ? <Paid state="problem" /> : null}
        {back ? (
          <span>
            {back.waits
              ? t('record:pay.backWaits', {
                  back: money(back.back),
                  paid: money(back.paid),
                  waits: money(back.waits),
                })
              : t('record:pay.backOf', { back: money(back.back), paid: money(back.paid) })}
          </span>
        ) : paid ? (
          <span>{paid}</span>
        ) : null}
        <span className={classes['priced']}>
          {booking.owed && Number(booking.owed) > 0
            ? t('record:owed', { amount: money(booking.owed) })
            : t('record:settled')}
        </span>
        {paidBy ? <span>{paidBy}</span> : null}
        <Crew booking={booking} />
      </p>
    </div>
  );
}
