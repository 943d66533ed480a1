import { formatCalendarDate, formatWallTime, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import type { Column } from '@portage/kit/desk/table';
import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleFilled,
  IconCircleX,
} from '@tabler/icons-react';
import { useMemo } from 'react';

import type { Booking, State } from '../sample.ts';
import { useSay } from '../say.ts';
import classes from './list.module.css';

const signs = {
  pending: IconCircleDashed,
  assigned: IconCircle,
  progress: IconCircleFilled,
  done: IconCircleCheck,
  problem: IconAlertTriangle,
  cancelled: IconCircleX,
} as const;

export function useStates(): Record<State, string> {
  const say = useSay();
  return {
    pending: say('Pending', 'En attente', '待处理'),
    assigned: say('Assigned', 'Assignée', '已分派'),
    progress: say('In progress', 'En cours', '进行中'),
    done: say('Done', 'Terminée', '已完成'),
    problem: say('Problem', 'Problème', '有问题'),
    cancelled: say('Cancelled', 'Annulée', '已取消'),
  };
}

export function Status({ state }: { state: State }) {
  const states = useStates();
  const Sign = signs[state];
  return (
    <span className={classes['status']} data-state={state}>
      <Sign size={16} stroke={1.75} aria-hidden />
      {states[state]}
    </span>
  );
}

/** The carry line, small: from here to there. */
function Route({ from, to }: { from: string; to: string }) {
  return (
    <span className={classes['route']}>
      <span className={classes['dot']} aria-hidden />
      {from}
      <span className={classes['line']} aria-hidden />
      <span className={classes['end']} aria-hidden />
      {to}
    </span>
  );
}

/** The columns do not depend on the language but for their titles and texts. */
export const columnKeys = [
  { key: 'who', main: true },
  { key: 'when', sortable: true },
  { key: 'route' },
  { key: 'crew' },
  { key: 'volume', sortable: true, offAtFirst: true },
  { key: 'total', sortable: true },
  { key: 'paid' },
  { key: 'status', sortable: true },
] as const;

export function useBookingColumns(): readonly Column<Booking>[] {
  const say = useSay();
  const language = useLanguage();
  return useMemo((): Column<Booking>[] => {
    const about: Record<(typeof columnKeys)[number]['key'], Omit<Column<Booking>, 'key'>> = {
      who: {
        title: say('Booking', 'Réservation', '预订'),
        cell: (row) => (
          <span className={classes['who']}>
            <span className={classes['code']}>{row.code}</span>
            <span className={classes['person']}>{row.name}</span>
          </span>
        ),
      },
      when: {
        title: say('When', 'Quand', '时间'),
        sortValue: (row) => `${row.day} ${row.time}`,
        cell: (row) => (
          <span className="pg-num">
            {formatCalendarDate(row.day, language, { weekday: 'short', month: 'short', day: 'numeric' })}{' '}
            {formatWallTime(row.time, language)}
          </span>
        ),
      },
      route: { title: say('From and to', 'De et vers', '起止'), cell: (row) => <Route from={row.from} to={row.to} /> },
      crew: {
        title: say('Crew', 'Équipe', '人员'),
        cell: (row) =>
          row.needs > 0 ? (
            <span className={classes['needs']}>
              {say(`needs ${row.needs}`, `il en faut ${row.needs}`, `缺 ${row.needs} 人`)}
            </span>
          ) : (
            row.crew.join(', ')
          ),
      },
      volume: {
        title: say('Size, m³', 'Volume, m³', '体积 m³'),
        numeric: true,
        sortValue: (row) => row.volume,
        cell: (row) => row.volume,
      },
      total: {
        title: say('Total', 'Total', '总价'),
        numeric: true,
        sortValue: (row) => Number(row.total),
        cell: (row) => <Money value={row.total} />,
      },
      paid: {
        title: say('Paid', 'Payé', '付款'),
        cell: (row) =>
          ({
            deposit: say('deposit', 'acompte', '订金'),
            full: say('in full', 'en entier', '全额'),
            failed: say('card refused', 'carte refusée', '银行卡被拒'),
          })[row.paid],
      },
      status: {
        title: say('Status', 'Statut', '状态'),
        sortValue: (row) => row.state,
        cell: (row) => <Status state={row.state} />,
      },
    };
    return columnKeys.map((column) => ({ ...column, ...about[column.key] }));
    // the texts change with the language only
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [language]);
}
