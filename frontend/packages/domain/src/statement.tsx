import type { Statement } from '@portage/api';
import { formatDateTime, formatList, useLanguage } from '@portage/i18n';
import { Money, Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { centsOf, formatCents } from './money-math.ts';
import classes from './statement.module.css';

/**
 * The account of a booking: each fact in words, how much it was, and what it left to pay. What happened and why comes
 * from the server in the reader's language.
 */
export function StatementTable({ statement }: { statement: Statement }) {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  const by = ({ method, cardLast4, reference }: Statement['rows'][number]) => {
    const paid = method === 'card' ? (cardLast4 ? t('statement.card', { last4: cardLast4 }) : null) : null;
    return [paid, method && method !== 'card' ? t(`statement.by.${method}`) : null, reference].filter(
      (one) => one != null,
    );
  };
  // By how much each row changed what is left to pay, so that they add up; of what changed nothing (a tip) its amount.
  const before = ['0.00', ...statement.rows.map((row) => row.balance)];
  const change = (row: Statement['rows'][number], index: number) => {
    const cents = centsOf(row.balance) - centsOf(before[index] ?? '0.00');
    return cents === 0 ? row.amount : formatCents(cents);
  };
  const table = (
    <table className={classes['table']}>
      <thead>
        <tr>
          <th scope="col">{t('statement.what')}</th>
          <th scope="col">{t('statement.amount')}</th>
          <th scope="col">{t('statement.left')}</th>
        </tr>
      </thead>
      <tbody>
        {statement.rows.map((row, index) => (
          // two facts of one kind may have one instant
          <tr key={`${row.at}-${row.kind}-${index}`}>
            <td>
              {row.text}
              <span className={classes['when']}>
                {formatList([formatDateTime(row.at, statement.zone, language), ...by(row)], language)}
              </span>
            </td>
            <td>
              <Money value={change(row, index)} />
            </td>
            <td>
              <Money value={row.balance} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {statement.balance.startsWith('-') ? t('statement.onTheWay') : t('statement.leftNow')}
          </th>
          <td>
            <Money value={statement.balance.replace(/^-/, '')} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
  return (
    <>
      {statement.inQuestion ? <Notice tone="warning">{t('statement.inQuestion')}</Notice> : null}
      {table}
    </>
  );
}
