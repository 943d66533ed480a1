import type { InvoiceBooking, InvoiceTax } from '@portage/api';
import { centsOf } from '@portage/domain';
import { formatCalendarDate, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './batch.module.css';

interface MovesProps {
  label: string;
  moves: InvoiceBooking[];
  /** What can be done with one of them. */
  children?: (move: InvoiceBooking) => ReactNode;
  /** Of an invoice that was issued: what is still owed for each. */
  owed?: boolean;
}

/** The moves of a partner's invoice, each with where it went, whose it is and what it comes to before tax. */
export function Moves({ label, moves, children, owed = false }: MovesProps) {
  const { t } = useTranslation('batch');
  const language = useLanguage();
  return (
    <ul className={classes['moves']} aria-label={label}>
      {moves.map((move) => (
        <li key={move.bookingId} className={classes['move']}>
          <div>
            <p>
              <Link to="/bookings/$id" params={{ id: move.bookingId }}>
                {move.shortId}
              </Link>{' '}
              {formatCalendarDate(move.moveDate, language, { year: 'numeric', month: 'short', day: 'numeric' })}
            </p>
            <p className={classes['meta']}>{t('route', { from: move.pickup, to: move.dropoff })}</p>
            <p className={classes['meta']}>{move.customer}</p>
            {move.reference ? <p className={classes['meta']}>{t('theirNumber', { number: move.reference })}</p> : null}
          </div>
          <div className={classes['amount']}>
            <Money value={move.subtotal} />
            {owed && centsOf(move.due) > 0 && centsOf(move.due) < centsOf(move.total) ? (
              <span className={classes['meta']}>
                {t('openOf')} <Money value={move.due} />
              </span>
            ) : null}
            {children?.(move)}
          </div>
        </li>
      ))}
    </ul>
  );
}

interface SumsProps {
  subtotal: string;
  taxes: InvoiceTax[];
  total: string;
  due: string;
}

/** Before tax, each tax of each province by itself, together, and what is owed. */
export function Sums({ subtotal, taxes, total, due }: SumsProps) {
  const { t } = useTranslation(['batch', 'papers', 'domain']);
  return (
    <dl className={classes['sums']}>
      <div>
        <dt>{t('beforeTax')}</dt>
        <dd>
          <Money value={subtotal} />
        </dd>
      </div>
      {taxes.map((tax) => (
        <div key={`${tax.name} ${tax.rate} ${tax.province}`}>
          <dt>
            {tax.province
              ? t('taxOf', { tax: t(`domain:tax.${tax.name as 'gst'}`), province: tax.province })
              : t(`domain:tax.${tax.name as 'gst'}`)}
          </dt>
          <dd>
            <Money value={tax.amount} />
          </dd>
        </div>
      ))}
      <div className={classes['strong']}>
        <dt>{t('together')}</dt>
        <dd>
          <Money value={total} />
        </dd>
      </div>
      <div>
        <dt>{t('papers:due')}</dt>
        <dd>
          <Money value={due} />
        </dd>
      </div>
    </dl>
  );
}
