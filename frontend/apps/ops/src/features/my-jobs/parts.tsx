import { Notice } from '@portage/kit';
import { formatCalendarDate, formatDayAndClock, formatWallTime, useLanguage } from '@portage/i18n';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useSession } from '../../shell/session.ts';
import classes from './my-jobs.module.css';
import { forgetRefused, press, usePressed } from './outbox.ts';
import type { Act, MateJob } from './queries.ts';

/** Who is signed in: presses are theirs. */
export function useMe(): string {
  const session = useSession();
  return session.status === 'signedIn' ? session.user.sub : '';
}

/** The day and the hours of a job, as people there read them. */
export function useWhen(): (job: MateJob) => { day: string; hours: string } {
  const { t } = useTranslation('crewJob');
  const language = useLanguage();
  return ({ date, time, endTime }) => ({
    day: formatCalendarDate(date, language, { dateStyle: 'full' }),
    hours: t('hours', { from: formatWallTime(time, language), until: formatWallTime(endTime, language) }),
  });
}

/** The day and hour of an act on the clock of the job's place. */
export function useActTime(): (instant: string, zone: string) => string {
  const language = useLanguage();
  return (instant, zone) => {
    const parts = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(new Date(instant));
    const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
    const day = `${part('year')}-${part('month')}-${part('day')}`;
    return formatDayAndClock(day, `${part('hour')}:${part('minute')}`, language);
  };
}

/** Where a job stands for the mate, in words; what waits to be sent counts already. */
export function useStateText(): (job: MateJob) => string {
  const { t } = useTranslation('myJobs');
  return (job) => {
    if (job.finishedAt) return t('state.finished');
    if (job.startedAt) return t('state.started');
    if (job.status !== 'assigned') return t('state.over');
    return job.acceptedAt ? t('state.accepted') : t('state.asked');
  };
}

/** What was pressed and is not sent yet, and what was not taken. */
export function Waiting() {
  const { t } = useTranslation('myJobs');
  const { waiting, refused } = usePressed(useMe());
  return (
    <div role="status">
      {waiting.length > 0 ? <Notice tone="info">{t('waiting', { count: waiting.length })}</Notice> : null}
      {refused.length > 0 ? (
        <Notice
          tone="warning"
          action={
            <Button variant="default" onClick={forgetRefused}>
              {t('refused.read')}
            </Button>
          }
        >
          {refused.map((one) => (
            <p key={`${one.job} ${one.act} ${one.at}`}>{t('refused', { number: one.number, detail: one.detail })}</p>
          ))}
        </Notice>
      ) : null}
    </div>
  );
}

/** What can be said of a job now. */
export function Acts({ job }: { job: MateJob }) {
  const { t } = useTranslation('myJobs');
  const me = useMe();
  const { waiting } = usePressed(me);
  const waits = (act: Act) => waiting.some((one) => one.job === job.id && one.act === act);
  const say = (act: Act) => () => press(job, act, me);
  const begun = job.startedAt !== null || waits('start');
  const live = job.status === 'assigned' && !waits('decline');
  return (
    <div className={classes['acts']}>
      {live && !begun && !job.acceptedAt && !waits('accept') ? (
        <Button size="md" onClick={say('accept')}>
          {t('act.accept')}
        </Button>
      ) : null}
      {live && !begun && (job.mayStart || waits('start')) ? (
        <Button size="md" {...(job.acceptedAt ? {} : { variant: 'default' })} onClick={say('start')}>
          {t('act.start')}
        </Button>
      ) : null}
      {begun && !job.finishedAt && !waits('finish') ? (
        <Button size="md" onClick={say('finish')}>
          {t('act.finish')}
        </Button>
      ) : null}
      {live && !begun && job.mayDecline ? (
        <Button size="md" variant="default" onClick={say('decline')}>
          {t('act.decline')}
        </Button>
      ) : null}
    </div>
  );
}
