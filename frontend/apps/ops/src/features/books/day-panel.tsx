import type { DayReport } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { formatDateTime, useLanguage } from '@portage/i18n';
import { Money, Notice } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import classes from './books.module.css';
import { DayField } from './day-field.tsx';
import { dayQuery } from './queries.ts';
import { useAddress } from './use-address.ts';

type Row = readonly [name: string, amount: string];

/** Amounts under one heading. */
function Amounts({ title, rows, none }: { title: string; rows: readonly Row[]; none: string }) {
  return (
    <section className={classes['amounts']}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p>{none}</p>
      ) : (
        <dl>
          {rows.map(([name, amount]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Money value={amount} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Report({ day }: { day: DayReport }) {
  const { t } = useTranslation(['books', 'shell']);
  const language = useLanguage();
  const ways = (rows: DayReport['cameIn']): Row[] =>
    rows.map(({ method, amount }) => [method ? t(`way.${method}`) : t('way.none'), amount]);
  const name = (account: string) => day.accounts.find((one) => one.account === account)?.name;
  const taxes = day.taxes.filter(({ tax, amount }) => name(tax) && amount !== '0.00');
  const compared = day.comparedAt ? formatDateTime(day.comparedAt, montrealZone, language) : null;
  return (
    <>
      <div className={classes['report']}>
        <Amounts title={t('day.cameIn')} rows={ways(day.cameIn)} none={t('day.nothing')} />
        <Amounts title={t('day.wentOut')} rows={ways(day.wentOut)} none={t('day.nothing')} />
        <Amounts
          title={t('day.earned')}
          rows={[
            [t('day.moves'), day.earned],
            [t('day.kept'), day.kept],
          ]}
          none={t('day.nothing')}
        />
        <Amounts
          title={t('day.taxes')}
          rows={taxes.map(({ tax, amount }) => [name(tax) ?? tax, amount])}
          none={t('day.nothing')}
        />
        <Amounts title={t('day.tips')} rows={[[t('day.toCrews'), day.tips]]} none={t('day.nothing')} />
      </div>
      <Notice
        tone={day.differences > 0 ? 'warning' : 'info'}
        action={<Link to="/reconciliation">{t('shell:area.reconciliation')}</Link>}
      >
        {compared === null
          ? t('day.neverCompared')
          : day.differences > 0
            ? t('day.differences', { count: day.differences, when: compared })
            : t('day.noDifference', { when: compared })}
      </Notice>
      <table className={classes['table']}>
        <caption>{t('day.accounts')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('col.account')}</th>
            <th scope="col">{t('col.debit')}</th>
            <th scope="col">{t('col.credit')}</th>
          </tr>
        </thead>
        <tbody>
          {day.accounts.map((row) => (
            <tr key={row.account}>
              <th scope="row">{row.name}</th>
              <td>
                <Money value={row.debit} />
              </td>
              <td>
                <Money value={row.credit} />
              </td>
            </tr>
          ))}
          {day.accounts.length === 0 ? (
            <tr>
              <td colSpan={3}>{t('day.nothing')}</td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </>
  );
}

/** What came and went on a day. */
export function DayPanel() {
  const { t } = useTranslation('books');
  const { date, today, set } = useAddress();
  const query = useQuery(dayQuery(date));
  return (
    <>
      <div className={classes['fields']}>
        <DayField
          id="books-day"
          label={t('day.date')}
          value={date}
          max={today}
          onChange={(day) => set({ date: day })}
        />
      </div>
      <QueryState query={query}>{(day) => <Report day={day} />}</QueryState>
    </>
  );
}
