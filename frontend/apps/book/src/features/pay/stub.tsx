import type { LinkPayment } from '@portage/api';
import { centsOf, cityName, montrealZone } from '@portage/domain';
import {
  formatCalendarDate,
  formatDayAndClock,
  formatMoney,
  formatWallTime,
  useLanguage,
  zoneName,
} from '@portage/i18n';
import { Money } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import classes from './pay.module.css';

/** What is paid for, like the stub of a ticket: which booking, when, from where to where, and the one amount. */
export function Stub({ payment }: { payment: LinkPayment }) {
  const { t } = useTranslation(['pay', 'checkout', 'domain']);
  const language = useLanguage();
  const start = formatDayAndClock(
    formatCalendarDate(payment.date, language, { dateStyle: 'full' }),
    formatWallTime(payment.time, language),
    language,
  );
  const { amount, total, currency, zone, state } = payment;
  const [from, to] = [cityName(payment.from, language), cityName(payment.to, language)];
  const there = zone === montrealZone ? null : zoneName(zone, language);
  const open = state === 'open';
  const part = open && centsOf(amount) !== centsOf(total);
  return (
    <section className={classes['stub']} aria-label={t('pay:stub.label')}>
      <dl className={classes['head']}>
        <dt>{t('checkout:number')}</dt>
        <dd data-testid="short-id">{payment.shortId}</dd>
      </dl>
      <div className={classes['move']}>
        <ol className={classes['way']} aria-label={t('domain:route', { pickup: from, dropoff: to })}>
          <li className={classes['end']}>{from}</li>
          <li className={classes['end']}>{to}</li>
        </ol>
        <p>
          <time dateTime={`${payment.date}T${payment.time}`}>{start}</time>
          {there ? <span className={classes['more']}>{t('pay:stub.there', { zone: there })}</span> : null}
        </p>
      </div>
      <dl className={classes['sum']}>
        <dt>{open ? t('pay:stub.amount') : t('domain:price.totalWithTaxes')}</dt>
        <dd>
          <span className={classes['amount']} data-testid="amount">
            <Money value={open ? amount : total} currency={currency} />
          </span>
          {open ? (
            <span className={classes['more']}>
              {part ? t('pay:stub.of', { total: formatMoney(total, language, currency) }) : t('pay:stub.total')}
            </span>
          ) : state === 'paid' && centsOf(payment.later) === 0 ? (
            <span className={classes['paid']}>{t('pay:stub.paid')}</span>
          ) : null}
        </dd>
      </dl>
    </section>
  );
}
