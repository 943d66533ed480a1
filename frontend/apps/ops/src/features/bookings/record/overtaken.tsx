import type { DeskBooking } from '@portage/api';
import { formatDayAndClock, formatItems, formatName, formatWallTime, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import form from '../parts/form.module.css';
import { useMoney } from '../parts/use-money.ts';
import { useShortDay } from './use-when.ts';

interface OvertakenProps {
  /** The booking as it was on screen when the button was pressed. */
  seen: DeskBooking;
  now: DeskBooking;
}

/** Says that somebody else was first, and shows both versions side by side: nothing was done, and it is decided anew. */
export function Overtaken({ seen, now }: OvertakenProps) {
  const { t } = useTranslation(['record', 'bookings', 'change']);
  const language = useLanguage();
  const money = useMoney();
  const day = useShortDay();
  const rows: [string, (one: DeskBooking) => string][] = [
    [t('overtaken.status'), (one) => t(`bookings:status.${one.status}`)],
    [t('overtaken.move'), (one) => formatDayAndClock(day(one.date), formatWallTime(one.time, language), language)],
    [t('bookings:col.total'), (one) => money(one.total)],
    [t('overtaken.owed'), (one) => (one.owed ? money(one.owed) : '–')],
    [
      t('overtaken.crew'),
      (one) =>
        formatItems(
          (one.crew ?? []).map((mate) => formatName(mate.name)),
          language,
        ) || '–',
    ],
  ];
  const different = rows.filter(([, value]) => value(seen) !== value(now));
  return (
    <Notice tone="warning" live led title={t('change:conflict.title')}>
      <p>{t('overtaken.text')}</p>
      {different.length === 0 ? (
        <p>{t('overtaken.none')}</p>
      ) : (
        <div className={form['scroll']}>
          <table className={form['sides']}>
            <thead>
              <tr>
                <th scope="col">{t('part.what')}</th>
                <th scope="col">{t('overtaken.seen')}</th>
                <th scope="col">{t('overtaken.now')}</th>
              </tr>
            </thead>
            <tbody>
              {different.map(([name, value]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{value(seen)}</td>
                  <td>{value(now)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Notice>
  );
}
