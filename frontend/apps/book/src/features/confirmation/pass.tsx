import type { BookedLocation, Booking } from '@portage/api';
import { addMoney, AddressLine, PriceBreakdown, StartTime, StatusBadge, useDurationText } from '@portage/domain';
import { useConfig } from '@portage/frame';
import {
  formatCalendarDate,
  formatDistance,
  formatList,
  formatNumber,
  formatTime,
  formatWallTime,
  useLanguage,
} from '@portage/i18n';
import { Money } from '@portage/kit';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ItemList } from '../../booking/checkout/item-list.tsx';
import classes from './pass.module.css';

const montreal = 'America/Toronto';

/** The booking as one carries it along: number, both doors, day and window, crew, items, what it costs. On paper items and price follow line by line. */
export function Pass({ booking }: { booking: Booking }) {
  const { t } = useTranslation(['confirmation', 'checkout', 'domain']);
  const language = useLanguage();
  const duration = useDurationText();
  const config = useConfig();
  const window = booking.arrivalWindow;
  const elsewhere = formatTime(booking.startsAt, montreal, language) !== formatWallTime(booking.time, language);
  const count = booking.items.reduce((sum, item) => sum + item.quantity, 0);
  const tip = booking.tip?.amount ?? '0.00';
  const crew = [
    t('domain:count.mates', { count: booking.mateCount }),
    ...(booking.clientAsMate ? [t('domain:crew.client')] : []),
    ...(booking.justMates ? [t('domain:crew.noTruck')] : []),
    ...(booking.rideAlong ? [t('domain:crew.rideAlong')] : []),
  ];
  return (
    <article className={classes['root']} aria-label={t('pass.title')} data-testid="pass">
      <div className={classes['head']}>
        <div>
          <p className={classes['company']}>
            {config?.companyLogo ? (
              <img src={config.companyLogo} alt={config.companyName} className={classes['logo']} />
            ) : (
              config?.companyName
            )}
          </p>
          {config ? (
            <p className={classes['contact']}>
              {formatList([config.supportPhone, config.supportEmail].filter(Boolean), language)}
            </p>
          ) : null}
        </div>
        <dl className={classes['number']}>
          <dt>{t('checkout:number')}</dt>
          <dd data-testid="short-id">{booking.shortId}</dd>
        </dl>
      </div>
      <ol className={classes['route']} aria-label={t('domain:end.both')}>
        <Door name={t('domain:end.pickup')} end={booking.pickup} />
        <Door name={t('domain:end.dropoff')} end={booking.dropoff} />
      </ol>
      <dl className={classes['facts']}>
        <Fact name={t('pass.day')} wide>
          {formatCalendarDate(booking.date, language, { dateStyle: 'full' })}
          {elsewhere ? (
            <span className={classes['more']}>
              <StartTime date={booking.date} time={booking.time} startsAt={booking.startsAt} />
            </span>
          ) : null}
        </Fact>
        <Fact name={t('pass.start')}>
          <strong className={classes['window']}>{formatWallTime(booking.time, language)}</strong>
          {elsewhere ? <span className={classes['more']}>{t('pass.there')}</span> : null}
        </Fact>
        <Fact name={t('pass.window')}>
          <strong className={classes['window']}>
            {t('pass.until', {
              from: formatWallTime(window.from, language),
              until: formatWallTime(window.until, language),
            })}
          </strong>
          {elsewhere ? <span className={classes['more']}>{t('pass.there')}</span> : null}
        </Fact>
        <Fact name={t('pass.crew')}>{formatList(crew, language)}</Fact>
        <Fact name={t('pass.duration')}>
          {duration(booking.estimatedDuration)}
          <span className={classes['more']}>{formatDistance(booking.distance, language)}</span>
        </Fact>
        <Fact name={t('domain:furniture.title')}>
          {t('domain:count.items', { count })}
          <span className={classes['more']}>
            {t('domain:furniture.cubicFeet', {
              volume: formatNumber(booking.totalCubicFeet, language, { maximumFractionDigits: 1 }),
            })}
          </span>
        </Fact>
        <Fact name={t('pass.status')} wide>
          <StatusBadge status={booking.status} />
        </Fact>
      </dl>
      <dl className={classes['stub']}>
        <Fact name={t('domain:price.totalWithTaxes')}>
          <strong className={classes['total']} data-testid="total">
            <Money value={booking.total} currency={booking.currency} />
          </strong>
        </Fact>
        <Fact name={t('domain:line.tip')}>
          {tip === '0.00' ? t('domain:tip.none') : <Money value={tip} currency={booking.currency} />}
        </Fact>
        {tip === '0.00' ? null : (
          <Fact name={t('domain:price.totalWithTip')}>
            <Money value={addMoney(booking.total, tip)} currency={booking.currency} />
          </Fact>
        )}
      </dl>
      {/* on the screen the booking's own page has them */}
      <div className={classes['paper']} data-testid="paper">
        <ItemList items={booking.items} volume={booking.totalCubicFeet} />
        <PriceBreakdown price={booking} tip={tip} />
      </div>
    </article>
  );
}

function Door({ name, end }: { name: string; end: BookedLocation }) {
  return (
    <li className={classes['door']}>
      <span className={classes['name']}>{name}</span>
      <AddressLine address={end} />
    </li>
  );
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide || undefined}>
      <dt className={classes['name']}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
