import { formatCalendarDate, formatWallTime, useLanguage } from '@portage/i18n';
import type { Day } from '@portage/kit/desk/dates';
import { type Tab, Tabs } from '@portage/kit/desk/tabs';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useDraggedCard, useDropPlace } from './drag.tsx';
import type { Place } from './drop.ts';
import { useLaneName } from './lane-name.ts';
import { lanesOf, onDay, queueOf } from './lanes.ts';
import type { DispatchBoard, DispatchJob } from './types.ts';
import type { Lanes } from './use-address.ts';
import classes from './week.module.css';

interface WeekViewProps {
  board: DispatchBoard;
  days: readonly Day[];
  tabs: Tab<Lanes>[];
  by: Lanes;
  setBy: (by: Lanes) => void;
  onMove: (id: string) => void;
}

/** A week of a hub: a row a mate, truck or crew, a column a day; above them what lacks people. */
export function WeekView({ board, days, tabs, by, setBy, onMove }: WeekViewProps) {
  const { t } = useTranslation('dispatch');
  return (
    <Tabs label={t('lanes')} tabs={tabs} value={by} onChange={setBy}>
      {(key) => (
        <WeekTable
          board={board}
          days={days}
          by={key}
          label={tabs.find((tab) => tab.key === key)?.label}
          onMove={onMove}
        />
      )}
    </Tabs>
  );
}

interface WeekTableProps extends Pick<WeekViewProps, 'board' | 'days' | 'by' | 'onMove'> {
  /** Over the names of the rows. */
  label: ReactNode;
}

function WeekTable({ board, days, by, label, onMove }: WeekTableProps) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  const laneName = useLaneName();
  const queue = queueOf(board);
  const takes = useDropPlace();
  const cell = (jobs: readonly DispatchJob[], day: Day, from: Place) => (
    <ul className={classes['jobs']}>
      {onDay(jobs, day).map((job) => (
        <li key={job.id}>
          <Chip job={job} from={from} onMove={onMove} />
        </li>
      ))}
    </ul>
  );
  return (
    <div className={classes['scroll']}>
      <table className={classes['week']} aria-label={t('week.title')}>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            {days.map((day) => (
              <th key={day} scope="col" aria-current={day === board.today ? 'date' : undefined}>
                <Link
                  to="."
                  search={((before: Record<string, unknown>) => ({ ...before, day, span: undefined })) as never}
                >
                  {formatCalendarDate(day, language, { weekday: 'short', day: 'numeric', month: 'short' })}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className={classes['queue']}>
            <th scope="row">{t('queue', { count: queue.length })}</th>
            {days.map((day) => (
              <td key={day} {...takes({ by: 'queue' }, day)}>
                {cell(queue, day, { by: 'queue' })}
              </td>
            ))}
          </tr>
          {lanesOf(board, by).map((lane) => (
            <tr key={lane.id}>
              <th scope="row">{laneName(lane)}</th>
              {days.map((day) => (
                <td key={day} data-away={lane.awayOn.includes(day) || undefined} {...takes({ by, id: lane.id }, day)}>
                  {lane.awayOn.includes(day) ? <span className={classes['away']}>{t('week.away')}</span> : null}
                  {cell(lane.jobs, day, { by, id: lane.id })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A job in a cell: when and which; pressed, it shows who could go. One that is over leads to its booking. */
function Chip({ job, from, onMove }: { job: DispatchJob; from: Place; onMove: (id: string) => void }) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  const card = useDraggedCard(job, from);
  const words = (
    <>
      <span className={classes['time']}>{formatWallTime(job.time, language)}</span> {job.shortId}
      {job.conflicts.length > 0 ? (
        <IconAlertTriangle size={14} stroke={1.75} role="img" aria-label={t('week.wrong')} />
      ) : null}
    </>
  );
  if (job.status !== 'pending' && job.status !== 'assigned')
    return (
      <Link to="/bookings/$id" params={{ id: job.id }} className={classes['chip']} data-over>
        {words}
      </Link>
    );
  return (
    <button
      type="button"
      className={classes['chip']}
      data-move={job.id}
      data-wrong={job.conflicts.length > 0 || undefined}
      onClick={() => onMove(job.id)}
      {...card}
    >
      {words}
    </button>
  );
}
