import type { DeskBooking } from '@portage/api';
import { montrealDay } from '@portage/domain';
import { formatCalendarDate, formatName, formatNumber, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import type { Column } from '@portage/kit/desk/table';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { useHubName } from '../../../shell/hubs.ts';
import { Crew } from '../parts/crew.tsx';
import { DeskStatus, Paid } from '../parts/desk-status.tsx';
import { StartClock } from '../parts/start-clock.tsx';
import { Stairs, Where } from '../parts/where.tsx';
import classes from './columns.module.css';

/** What does not depend on the language. The keys of what can be ordered are those of the call. */
export const columnKeys = [
  { key: 'who', main: true },
  { key: 'moveAt', sortable: true, plain: true },
  // before what is long: it stays in sight where the frame is too narrow for all
  { key: 'status', plain: true },
  { key: 'route', plain: true },
  { key: 'crew', plain: true, yields: true },
  { key: 'size', numeric: true, plain: true, yields: true },
  { key: 'total', numeric: true, plain: true },
  { key: 'paid', plain: true },
  { key: 'createdAt', sortable: true, offAtFirst: true },
  { key: 'kind', offAtFirst: true, plain: true },
  { key: 'hub', offAtFirst: true, plain: true },
  { key: 'phone', offAtFirst: true, plain: true },
] as const;

export function useBookingColumns(): readonly Column<DeskBooking>[] {
  const { t } = useTranslation(['bookings', 'domain', 'shell']);
  const language = useLanguage();
  const hubName = useHubName();
  return useMemo((): Column<DeskBooking>[] => {
    const day = (date: string) =>
      formatCalendarDate(date, language, { weekday: 'short', month: 'short', day: 'numeric' });
    const about: Record<(typeof columnKeys)[number]['key'], Omit<Column<DeskBooking>, 'key'>> = {
      who: {
        title: t('col.who'),
        width: '128px',
        share: 34,
        cell: (row) => (
          <span className={classes['who']}>
            <span className={classes['code']}>{row.shortId}</span>
            <span className={classes['person']} title={formatName(row.customerName)}>
              {formatName(row.customerName)}
            </span>
          </span>
        ),
      },
      moveAt: {
        title: t('col.when'),
        cell: (row) => (
          <span className={`pg-num ${classes['when']}`}>
            <span className={classes['day']}>{day(row.date)}</span> <StartClock booking={row} />
          </span>
        ),
      },
      route: {
        title: t('col.route'),
        width: '140px',
        share: 38,
        cell: (row) => (
          <span className={classes['route']}>
            <Where booking={row} />
            <Stairs booking={row} />
          </span>
        ),
      },
      crew: { title: t('col.crew'), width: '96px', share: 28, cell: (row) => <Crew booking={row} short /> },
      size: {
        title: t('col.size'),
        cell: (row) => t('row.size', { items: formatNumber(row.bigItems + row.smallItems, language), tier: row.tier }),
      },
      total: { title: t('col.total'), cell: (row) => <Money value={row.total} currency={row.currency} /> },
      paid: { title: t('col.paid'), cell: (row) => <Paid state={row.paymentProblem ? 'problem' : row.paymentState} /> },
      status: { title: t('shell:col.state'), cell: (row) => <DeskStatus status={row.status} /> },
      createdAt: { title: t('col.booked'), cell: (row) => day(montrealDay(row.createdAt)) },
      kind: { title: t('col.kind'), cell: (row) => t(`domain:moveKind.${row.moveType}`) },
      hub: { title: t('shell:hub.label'), cell: (row) => hubName(row.hub) },
      phone: { title: t('col.phone'), cell: (row) => <span className="pg-num">{row.customerPhone}</span> },
    };
    return columnKeys.map((column) => ({ ...column, ...about[column.key] }));
  }, [t, language, hubName]);
}
