import { PageHeading } from '@portage/kit';
import { QueryState } from '@portage/frame';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { ownFeed } from '../../shell/feed/calls.ts';
import { FeedPart } from '../../shell/feed/feed-part.tsx';
import classes from './my-jobs.module.css';
import {
  SeenNotice,
  useIsKept,
  useIsUnreached,
  useKeepSeen,
  useStanding,
  useWhen,
  Waiting,
  WaitingBadge,
} from './parts.tsx';
import { jobsQuery, type MateJob } from './queries.ts';

/** The jobs one is on, by their start. */
function MyJobsPage() {
  const { t } = useTranslation(['myJobs', 'feed']);
  const jobs = useQuery(jobsQuery);
  useKeepSeen();
  const kept = useIsKept(jobs);
  const unreached = useIsUnreached();
  return (
    <>
      <PageHeading title={t('title')} lead={t('lead')} />
      <SeenNotice kept={kept} />
      <Waiting />
      <QueryState query={kept ? { ...jobs, isError: false } : jobs} rows={4}>
        {(list) =>
          list.length === 0 ? (
            <p>{t('empty')}</p>
          ) : (
            <ul className={classes['list']}>
              {list.map((job) => (
                <JobLine key={job.id} job={job} />
              ))}
            </ul>
          )
        }
      </QueryState>
      {/* the calendar's link is nothing without network */}
      {unreached ? null : (
        <section aria-labelledby="feed" className={classes['feed']}>
          <h2 id="feed">{t('feed:title')}</h2>
          <FeedPart calls={ownFeed} />
        </section>
      )}
    </>
  );
}

function JobLine({ job }: { job: MateJob }) {
  const { t } = useTranslation('myJobs');
  const { day, hours } = useWhen()(job);
  const { text, asked } = useStanding()(job);
  return (
    <li className={classes['line']}>
      <Link to="/my-jobs/$id" params={{ id: job.id }} className={classes['open']}>
        <span className={classes['day']}>{day}</span>
        <span>{hours}</span>
        <span>{t('way', { from: job.pickup.city, to: job.dropoff.city })}</span>
        <span className={classes['state']} data-asked={asked || undefined}>
          {text}
        </span>
        <WaitingBadge job={job.id} />
      </Link>
    </li>
  );
}

export const Route = createLazyRoute('/crew/my-jobs')({ component: MyJobsPage });
