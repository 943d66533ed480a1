import { QueryState } from '@portage/frame';
import { Money } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import classes from './books.module.css';
import { DayField } from './day-field.tsx';
import { endOf } from './end-of-day.ts';
import { balancesQuery } from './queries.ts';
import { useAddress } from './use-address.ts';

/** Every account as it stands, or stood at the end of a day. */
export function BalancesPanel() {
  const { t } = useTranslation('books');
  const { date, today, set } = useAddress();
  const query = useQuery(balancesQuery(date === today ? null : endOf(date)));
  return (
    <>
      <p className={classes['lead']}>{t('balances.lead')}</p>
      <div className={classes['fields']}>
        <DayField
          id="books-at"
          label={t('balances.date')}
          value={date}
          max={today}
          onChange={(day) => set({ date: day })}
        />
      </div>
      <QueryState query={query}>
        {({ accounts }) => (
          <table className={classes['table']}>
            <caption>{t('part.balances')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('col.account')}</th>
                <th scope="col">{t('col.balance')}</th>
              </tr>
            </thead>
            <tbody>
              {accounts.map((row) => (
                <tr key={row.account}>
                  <th scope="row">{row.name}</th>
                  <td>
                    <Money value={row.balance} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </QueryState>
    </>
  );
}
