import { useAccessFacts, useDurationText } from '@portage/domain';
import {
  formatCalendarDate,
  formatItems,
  formatName,
  formatNumber,
  formatSentences,
  formatWallTime,
  useLanguage,
} from '@portage/i18n';
import type { Day } from '@portage/kit/desk/dates';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';

import { useHubName } from '../../shell/hubs.ts';
import { CarriedItems, type CrewJob } from '../../shell/crew-job/items.tsx';
import classes from './day-sheet.module.css';

interface PaperProps {
  hub: string;
  day: Day;
  /** Whose jobs these are; null: everybody's. */
  mate: string | null;
  jobs: readonly CrewJob[];
  /** Who does not come that day, and is on a job of it still. */
  isAway: (mateId: string) => boolean;
}

/** The sheet as it is printed: a job never breaks over two pages where it fits on one. */
export function Paper({ hub, day, mate, jobs, isAway }: PaperProps) {
  const { t } = useTranslation('daySheet');
  const language = useLanguage();
  const hubName = useHubName();
  const date = formatCalendarDate(day, language, { dateStyle: 'full' });
  return (
    <div className={classes['paper']}>
      <header className={classes['head']}>
        <div>
          <h2>{mate ? formatName(mate) : t('paper')}</h2>
          <p>{t('head', { hub: hubName(hub), day: date })}</p>
        </div>
        <p>{t('jobs', { count: jobs.length })}</p>
      </header>
      {jobs.map((job) => (
        <JobOnPaper key={job.id} job={job} isAway={isAway} />
      ))}
    </div>
  );
}

function JobOnPaper({ job, isAway }: { job: CrewJob } & Pick<PaperProps, 'isAway'>) {
  const { t } = useTranslation(['daySheet', 'crewJob', 'domain']);
  const language = useLanguage();
  const duration = useDurationText();
  const id = useId();
  const names = job.crew.map(({ mateId, name }) =>
    isAway(mateId) ? t('crew.away', { name: formatName(name) }) : formatName(name),
  );
  const helps = [...(job.clientAsMate ? [t('clientHelps')] : []), ...(job.rideAlong ? [t('rideAlong')] : [])];
  return (
    <article className={classes['job']} aria-labelledby={id}>
      <div className={classes['when']}>
        <h3 id={id}>
          {t('crewJob:hours', {
            from: formatWallTime(job.time, language),
            until: formatWallTime(job.endTime, language),
          })}
          {/* read as two words */} <span className={classes['number']}>{job.shortId}</span>
        </h3>
        <p>
          {duration(job.durationMinutes)} · {t('domain:count.mates', { count: job.mateCount })}
        </p>
      </div>
      <dl className={classes['who']}>
        <Fact name={t('crew')}>{names.length > 0 ? formatItems(names, language) : t('crew.nobody')}</Fact>
        <Fact name={t('truck')}>
          {job.truck
            ? job.truck.name
            : job.truckSize
              ? t('truck.size', { feet: formatNumber(Number.parseInt(job.truckSize, 10), language) })
              : t('crewJob:noTruck')}
        </Fact>
        <Fact name={t('customer')}>
          {formatName(job.customerName)}
          <br />
          {job.customerPhone ?? t('phoneLater')}
          {helps.length > 0 ? (
            <>
              <br />
              {formatSentences(helps, language)}
            </>
          ) : null}
        </Fact>
      </dl>
      <div className={classes['ends']}>
        <EndOnPaper title={t('crewJob:pickup')} end={job.pickup} />
        <EndOnPaper title={t('crewJob:dropoff')} end={job.dropoff} />
      </div>
      <h4>{t('crewJob:items')}</h4>
      <CarriedItems items={job.items} className={classes['items']} />
      {job.comments ? <Said title={t('comments')} texts={[job.comments]} /> : null}
      {job.notes.length > 0 ? <Said title={t('notes')} texts={job.notes} /> : null}
      <dl className={classes['byHand']}>
        <Fact name={t('started')} />
        <Fact name={t('finished')} />
        <Fact name={t('signature')} />
      </dl>
    </article>
  );
}

function Fact({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function EndOnPaper({ title, end }: { title: string; end: CrewJob['pickup'] }) {
  const { t } = useTranslation('crewJob');
  const facts = useAccessFacts()(end);
  return (
    <div>
      <h4>{title}</h4>
      <p className={classes['address']}>
        {end.unit ? t('unit', { unit: end.unit, address: end.fullAddress }) : end.fullAddress}
      </p>
      <p>{facts.join(' · ')}</p>
      {end.details ? <p className={classes['typed']}>{end.details}</p> : null}
    </div>
  );
}

function Said({ title, texts }: { title: string; texts: readonly string[] }) {
  return (
    <div className={classes['said']}>
      <h4>{title}</h4>
      {texts.map((text) => (
        <p key={text} className={classes['typed']}>
          {text}
        </p>
      ))}
    </div>
  );
}
