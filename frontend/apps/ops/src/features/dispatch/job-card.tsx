import { useDurationText } from '@portage/domain';
import { formatList, formatName, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';

import { useHubName } from '../../shell/hubs.ts';
import classes from './dispatch.module.css';
import { useDraggedCard } from './drag.tsx';
import type { Place } from './drop.ts';
import type { DispatchJob } from './types.ts';
import { useConflictText, useTimes } from './words.ts';

interface JobCardProps {
  job: DispatchJob;
  /** The lane it stands in. */
  from: Place;
  onMove: (id: string) => void;
}

/** The board shows all hubs: each job says where it starts from. */
export const EveryHub = createContext(false);

/** A job: when, whose, from where to where, who goes, what is wrong, and the way to another crew. */
export function JobCard({ job, from, onMove }: JobCardProps) {
  const { t } = useTranslation('dispatch');
  const times = useTimes();
  const conflictText = useConflictText();
  const card = useDraggedCard(job, from);
  const language = useLanguage();
  const duration = useDurationText();
  const hubName = useHubName();
  const everyHub = useContext(EveryHub);
  const worked = job.crew.flatMap(({ name, workedMinutes }) =>
    typeof workedMinutes === 'number'
      ? [t('worked.one', { name: formatName(name), time: duration(workedMinutes) })]
      : [],
  );
  const open = job.status === 'pending' || job.status === 'assigned';
  return (
    <li className={classes['job']} data-wrong={job.conflicts.length > 0 || undefined} {...card}>
      <p className={classes['when']}>
        <span className={classes['times']}>{times(job)}</span>{' '}
        <Link to="/bookings/$id" params={{ id: job.id }} className={classes['number']} draggable={false}>
          {job.shortId}
        </Link>
      </p>
      <p className={classes['who']}>{formatName(job.customerName)}</p>
      <p className={classes['where']}>
        {t('way', { from: job.pickup.city, to: job.dropoff.city })}
        {' · '}
        {t('crew', { on: job.crew.length, count: job.mateCount })}
        {job.truck ? ` · ${job.truck.name}` : null}
        {everyHub ? ` · ${hubName(job.hub)}` : null}
      </p>
      {worked.length > 0 ? (
        <p className={classes['where']}>
          {t('worked', { hours: formatList(worked, language), planned: duration(job.durationMinutes) })}
        </p>
      ) : null}
      {job.conflicts.length > 0 ? (
        <ul className={classes['conflicts']}>
          {job.conflicts.map((conflict) => (
            <li key={`${conflict.code} ${conflict.who} ${conflict.other?.id} ${conflict.paper?.kind}`}>
              <IconAlertTriangle size={14} stroke={1.75} aria-hidden /> <span>{conflictText(conflict, job)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {open ? (
        <DeskButton
          data-move={job.id}
          aria-label={t('move.of', { number: job.shortId })}
          onClick={() => onMove(job.id)}
        >
          {t('move')}
        </DeskButton>
      ) : null}
    </li>
  );
}
