import { asProblem, type TrustRow } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { dayIn, formatCalendarDate, formatMoney, useLanguage } from '@portage/i18n';
import { Money, Notice } from '@portage/kit';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import classes from './books.module.css';
import { Download } from './download.tsx';
import { trustFile, trustQuery } from './queries.ts';
import { useAddress } from './use-address.ts';

const perPage = 50;
const codec = tableCodec({
  columns: [
    { key: 'booking', main: true },
    { key: 'customer' },
    { key: 'moveDate' },
    { key: 'since' },
    { key: 'amount' },
  ],
  perPage: [perPage],
});

const bookingOf = (row: TrustRow) => (
  <Link to="/bookings/$id" params={{ id: row.bookingId }}>
    {row.shortId}
  </Link>
);
const amountOf = (row: TrustRow) => <Money value={row.amount} />;

/** What Quebec wants held in trust until the move. */
export function TrustPanel() {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const { page, today, set } = useAddress();
  const query = useQuery(trustQuery(page, perPage));
  const columns: Column<TrustRow>[] = [
    {
      key: 'booking',
      title: t('col.booking'),
      main: true,
      cell: bookingOf,
    },
    { key: 'customer', title: t('col.customer'), cell: (row) => row.customer },
    { key: 'moveDate', title: t('col.moveDate'), cell: (row) => formatCalendarDate(row.moveDate, language) },
    {
      key: 'since',
      title: t('col.since'),
      cell: (row) => formatCalendarDate(dayIn(montrealZone, new Date(row.since)), language),
    },
    { key: 'amount', title: t('col.amount'), numeric: true, cell: amountOf },
  ];
  const sums = query.data;
  return (
    <>
      <p className={classes['lead']}>{t('trust.lead')}</p>
      <div className={classes['fields']}>
        {sums ? (
          <p className={classes['sum']}>{t('trust.sum', { amount: formatMoney(sums.amount, language) })}</p>
        ) : null}
        <Download label={t('trust.get')} name={`trust-${today}.csv`} read={trustFile} />
      </div>
      {sums && sums.amount !== sums.account ? (
        <Notice tone="error">{t('trust.differs', { account: formatMoney(sums.account, language) })}</Notice>
      ) : null}
      <DataTable
        label={t('part.trust')}
        columns={columns}
        rows={sums?.data ?? []}
        rowKey={(row) => row.bookingId}
        rowName={(row) => row.shortId}
        state={{ ...codec.read({}), page, perPage }}
        onState={(next) => set({ page: next.page })}
        total={sums?.total ?? 0}
        pageSizes={[perPage]}
        status={query.isPending ? 'loading' : query.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          query.isError
            ? { title: t('trust.failed'), failure: asProblem(query.error), onRetry: () => void query.refetch() }
            : null
        }
        empty={<NothingYet title={t('trust.empty')}>{t('trust.emptyHelp')}</NothingYet>}
      />
    </>
  );
}
