import { asProblem, serverNow } from '@portage/api';
import { useAccessFacts, useDurationText } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { formatDateTime, formatName, formatNumber, useLanguage } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';

import { CarriedItems } from '../../shell/crew-job/items.tsx';
import classes from './my-jobs.module.css';
import { Acts, SeenNotice, useActTime, useIsKept, useKeepSeen, useStanding, useWhen, Waiting } from './parts.tsx';
import { jobQuery, type MateJob } from './queries.ts';
import { JobNotes, JobPhotos } from './record-parts.tsx';

/** A job at the door: when, where, how one gets in, what is carried, with whom; and what one says of it. */
function JobPage() {
  const { t } = useTranslation('myJobs');
  const { id } = useParams({ strict: false });
  const job = useQuery(jobQuery(id ?? ''));
  useKeepSeen();
  // declined, or somebody else goes: what was read before does not count any more
  const gone = job.isError && asProblem(job.error).status === 404;
  const kept = useIsKept(job);
  return (
    <>
      <p>
        <Link to="/my-jobs">{t('back')}</Link>
      </p>
      <PageHeading title={job.data ? t('job', { number: job.data.shortId }) : t('title')} />
      <SeenNotice kept={kept} />
      <Waiting />
      {gone ? (
        <p>{t('gone')}</p>
      ) : (
        <QueryState query={kept ? { ...job, isError: false } : job} rows={8}>
          {(found) => <JobView job={found} />}
        </QueryState>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes['part']}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function JobView({ job }: { job: MateJob }) {
  const { t } = useTranslation(['myJobs', 'crewJob']);
  const language = useLanguage();
  const { day, hours } = useWhen()(job);
  const duration = useDurationText();
  const { text, asked } = useStanding()(job);
  const actTime = useActTime();
  const said = [
    job.acceptedAt ? t('said.accepted', { at: actTime(job.acceptedAt, job.zone) }) : null,
    job.startedAt ? t('said.started', { at: actTime(job.startedAt, job.zone) }) : null,
    job.finishedAt ? t('said.finished', { at: actTime(job.finishedAt, job.zone) }) : null,
    typeof job.workedMinutes === 'number'
      ? t('said.hours', { worked: duration(job.workedMinutes), planned: duration(job.durationMinutes) })
      : null,
  ].filter((one) => one !== null);
  return (
    <>
      <p className={classes['when']}>
        <strong>{day}</strong>
        <br />
        {hours} · {duration(job.durationMinutes)}
        <br />
        <span className={classes['state']} data-asked={asked || undefined}>
          {text}
        </span>
        {asked && job.answerBy ? (
          <>
            <br />
            <span className={classes['by']}>
              {Date.parse(job.answerBy) > serverNow()
                ? t('answerBy', { at: formatDateTime(job.answerBy, job.zone, language) })
                : t('answerLate')}
            </span>
          </>
        ) : null}
      </p>
      <Acts job={job} />
      <EndView title={t('crewJob:pickup')} end={job.pickup} />
      <EndView title={t('crewJob:dropoff')} end={job.dropoff} />
      <Part title={t('customer')}>
        <p>
          {formatName(job.customerName)}
          <br />
          {job.customerPhone ? (
            <a className={classes['touch']} href={`tel:${job.customerPhone.replaceAll(/[^+\d]/g, '')}`}>
              {t('call', { phone: job.customerPhone })}
            </a>
          ) : (
            t('phoneLater')
          )}
        </p>
        {job.comments ? <p className={classes['typed']}>{job.comments}</p> : null}
      </Part>
      {job.notes.length > 0 ? (
        <Part title={t('notes')}>
          {job.notes.map((note) => (
            <p key={note} className={classes['typed']}>
              {note}
            </p>
          ))}
        </Part>
      ) : null}
      <Part title={t('crew')}>
        <ul>
          {job.crew.map((one) => (
            <li key={one.mateId}>
              {one.acceptedAt ? t('crew.comes', { name: formatName(one.name) }) : formatName(one.name)}
            </li>
          ))}
        </ul>
        <p>
          {job.truck
            ? t('truck', { name: job.truck.name })
            : job.truckSize
              ? t('truckSize', { feet: formatNumber(Number.parseInt(job.truckSize, 10), language) })
              : t('crewJob:noTruck')}
        </p>
      </Part>
      <Part title={t('crewJob:items')}>
        <CarriedItems items={job.items} />
      </Part>
      <Part title={t('photos')}>
        <JobPhotos job={job} />
      </Part>
      <Part title={t('crewNotes')}>
        <JobNotes job={job} />
      </Part>
      {said.length > 0 ? (
        <Part title={t('said')}>
          <ul>
            {said.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Part>
      ) : null}
    </>
  );
}

function EndView({ title, end }: { title: string; end: MateJob['pickup'] }) {
  const { t } = useTranslation(['myJobs', 'crewJob']);
  const facts = useAccessFacts()(end);
  const { lat, lon } = end.coords;
  return (
    <Part title={title}>
      <p>
        {end.unit ? t('crewJob:unit', { unit: end.unit, address: end.fullAddress }) : end.fullAddress}
        <br />
        {facts.join(' · ')}
      </p>
      {end.details ? <p className={classes['typed']}>{end.details}</p> : null}
      <p>
        <a
          className={classes['touch']}
          href={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=17/${lat}/${lon}`}
          target="_blank"
          rel="noreferrer"
        >
          {t('map', { place: title })}
        </a>
      </p>
    </Part>
  );
}

export const Route = createLazyRoute('/crew/my-jobs/$id')({ component: JobPage });
