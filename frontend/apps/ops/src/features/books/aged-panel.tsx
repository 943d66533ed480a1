import { type AgedBalances, type AgedDebtor, asProblem } from '@portage/api';
import { formatMoney, useLanguage } from '@portage/i18n';
import { Money, Notice } from '@portage/kit';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import classes from './books.module.css';
import { DayField } from './day-field.tsx';
import { Download } from './download.tsx';
import { endOf } from './end-of-day.ts';
import { agedFile, agedQuery } from './queries.ts';
import { useAddress } from './use-address.ts';

const perPage = 50;
const ages = ['notDue', 'to30', 'to60', 'to90', 'over90'] as const;
const codec = tableCodec({
  columns: [{ key: 'debtor', main: true }, ...ages.map((key) => ({ key })), { key: 'owed' }, { key: 'bookings' }],
  perPage: [perPage],
});

function Bookings({ debtor }: { debtor: AgedDebtor }) {
  const { t } = useTranslation('books');
  return (
    <ul className={classes['debts']}>
      {debtor.bookings.map(({ bookingId, shortId, amount, daysLate }) => (
        <li key={bookingId}>
          <Link to="/bookings/$id" params={{ id: bookingId }}>
            {shortId}
          </Link>{' '}
          <Money value={amount} />
          {daysLate > 0 ? <span>{t('aged.late', { count: daysLate })}</span> : null}
        </li>
      ))}
    </ul>
  );
}

const cells = {
  notDue: ({ amounts }: AgedDebtor) => <Money value={amounts.notDue} />,
  to30: ({ amounts }: AgedDebtor) => <Money value={amounts.to30} />,
  to60: ({ amounts }: AgedDebtor) => <Money value={amounts.to60} />,
  to90: ({ amounts }: AgedDebtor) => <Money value={amounts.to90} />,
  over90: ({ amounts }: AgedDebtor) => <Money value={amounts.over90} />,
  owed: ({ amounts }: AgedDebtor) => <Money value={amounts.total} />,
  bookings: (row: AgedDebtor) => <Bookings debtor={row} />,
};

function Totals({ found }: { found: AgedBalances }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const cents = (amount: string) => Math.round(Number(amount) * 100);
  const agrees = cents(found.amounts.total) - cents(found.held) === cents(found.accounts);
  return (
    <>
      {agrees ? null : (
        <Notice tone="error">{t('aged.differs', { account: formatMoney(found.accounts, language) })}</Notice>
      )}
      <section className={classes['amounts']}>
        <h2>{t('aged.totals')}</h2>
        <dl className={classes['ages']}>
          {ages.map((key) => (
            <div key={key}>
              <dt>{t(`col.${key}`)}</dt>
              <dd>
                <Money value={found.amounts[key]} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

/** What customers and partners owe, by how late it is, now or at the end of a day. */
export function AgedPanel() {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const { date, page, today, set } = useAddress();
  const at = date === today ? null : endOf(date);
  const query = useQuery(agedQuery(at, page, perPage));
  const columns: Column<AgedDebtor>[] = [
    { key: 'debtor', title: t('col.debtor'), main: true, cell: (row) => row.name },
    ...ages.map((key) => ({ key, title: t(`col.${key}`), numeric: true, cell: cells[key] })),
    { key: 'owed', title: t('col.owed'), numeric: true, cell: cells.owed },
    { key: 'bookings', title: t('col.bookings'), cell: cells.bookings },
  ];
  const found = query.data;
  return (
    <>
      <p className={classes['lead']}>{t('aged.lead')}</p>
      <div className={classes['fields']}>
        <DayField
          id="books-aged"
          label={t('aged.date')}
          value={date}
          max={today}
          onChange={(day) => set({ date: day, page: 1 })}
        />
        {found ? (
          <>
            <p className={classes['sum']}>{t('aged.owed', { amount: formatMoney(found.amounts.total, language) })}</p>
            <p className={classes['sum']}>{t('aged.held', { amount: formatMoney(found.held, language) })}</p>
          </>
        ) : null}
        <Download label={t('aged.get')} name={`aged-balances-${date}.csv`} read={() => agedFile(at)} />
      </div>
      {found ? <Totals found={found} /> : null}
      <DataTable
        label={t('part.aged')}
        columns={columns}
        rows={found?.data ?? []}
        rowKey={(row) => row.partnerId ?? row.bookings[0]?.bookingId ?? row.name}
        rowName={(row) => row.name}
        state={{ ...codec.read({}), page, perPage }}
        onState={(next) => set({ page: next.page })}
        total={found?.total ?? 0}
        pageSizes={[perPage]}
        status={query.isPending ? 'loading' : query.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          query.isError
            ? { title: t('aged.failed'), failure: asProblem(query.error), onRetry: () => void query.refetch() }
            : null
        }
        empty={<NothingYet title={t('aged.empty')}>{t('aged.emptyHelp')}</NothingYet>}
      />
    </>
  );
}
