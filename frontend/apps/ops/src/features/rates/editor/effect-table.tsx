import type { RepricedBooking } from '@portage/api';
import { centsOf } from '@portage/domain';
import { formatCalendarDate, formatMoney, type Language, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from '../rates.module.css';

const atFirst = 25;

/** An amount with its sign: what is more has a plus. */
export function signed(value: string, language: Language): string {
  return `${centsOf(value) > 0 ? '+' : ''}${formatMoney(value, language)}`;
}

/** What changes most comes first, up or down; of equals the newest. */
export function byDifference(rows: readonly RepricedBooking[]): RepricedBooking[] {
  const size = (row: RepricedBooking) => Math.abs(centsOf(row.difference));
  return [...rows].sort((one, other) => size(other) - size(one));
}

/** Each booking with what it costs now and what it would. */
export function EffectTable({ rows }: { rows: readonly RepricedBooking[] }) {
  const { t } = useTranslation('rates');
  const language = useLanguage();
  const [most, setMost] = useState(atFirst);
  const sorted = byDifference(rows);
  return (
    <>
      {/* scrolls by itself on a narrow screen, with the keys too */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label={t('effect.table')}>
        <table className={classes['table']}>
          <caption className="pg-help">{t('effect.order')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('effect.booking')}</th>
              <th scope="col">{t('effect.moveDay')}</th>
              <th scope="col" className={classes['number']}>
                {t('effect.old.short')}
              </th>
              <th scope="col" className={classes['number']}>
                {t('effect.new.short')}
              </th>
              <th scope="col" className={classes['number']}>
                {t('effect.difference')}
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, most).map((row) => (
              <tr key={row.bookingId}>
                <th scope="row">
                  <Link to="/bookings/$id" params={{ id: row.bookingId }} target="_blank">
                    {row.shortId}
                  </Link>
                </th>
                <td>
                  {formatCalendarDate(row.moveDate, language, { year: 'numeric', month: 'short', day: 'numeric' })}
                </td>
                <td className={classes['number']}>
                  <Money value={row.old} />
                </td>
                <td className={classes['number']}>
                  <Money value={row.new} />
                </td>
                <td className={classes['number']}>{signed(row.difference, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > most ? (
        <DeskButton onClick={() => setMost((now) => now + 100)}>
          {t('effect.more', { n: sorted.length - most })}
        </DeskButton>
      ) : null}
    </>
  );
}
