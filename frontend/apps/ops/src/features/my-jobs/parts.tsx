import { asProblem } from '@portage/api';
import { ConfirmDialog } from '@portage/frame';
import { Notice } from '@portage/kit';
import { dayIn, formatCalendarDate, formatDayAndClock, formatTime, formatWallTime, useLanguage } from '@portage/i18n';
import { Button } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { readSeen, writeSeen } from '../../shell/seen.ts';
import { useSession } from '../../shell/session.ts';
import classes from './my-jobs.module.css';
import { forgetRefused, press, usePressed, useSending } from './outbox.ts';
import type { Act, Pressed } from './pressed.ts';
import { jobsQuery, type MateJob } from './queries.ts';

/** Who is signed in, or was when the jobs were seen last: presses are theirs. */
export function useMe(): string {
  const session = useSession();
  if (session.status === 'signedIn') return session.user.sub;
  return session.status === 'anonymous' && session.unreached ? (readSeen()?.who ?? '') : '';
}

/** Keeps the jobs for when there is no network, as often as they are read. */
export function useKeepSeen(): void {
  const session = useSession();
  const { data, dataUpdatedAt } = useQuery(jobsQuery);
  const who = session.status === 'signedIn' ? session.user.sub : null;
  useEffect(() => {
    if (who !== null && data && dataUpdatedAt > 0) writeSeen(who, data);
  }, [who, data, dataUpdatedAt]);
}

/** There is no network, and a notice says so: what is kept is shown without a failure. */
export function useIsKept({
  data,
  isError,
  error,
}: Pick<UseQueryResult<unknown>, 'data' | 'isError' | 'error'>): boolean {
  const unreached = useIsUnreached();
  const lost = data !== undefined && isError && asProblem(error).status === 0;
  return lost && (unreached || !navigator.onLine || readSeen() !== null);
}

/** Somebody was signed in here, and cannot be asked after without network. */
export function useIsUnreached(): boolean {
  const session = useSession();
  return session.status === 'anonymous' && session.unreached === true;
}

/** Says that the jobs are those seen last, and when that was; `kept`: they could not be read again. */
export function SeenNotice({ kept }: { kept: boolean }) {
  const { t } = useTranslation('myJobs');
  const unreached = useIsUnreached();
  const actTime = useActTime();
  const seen = unreached || kept ? readSeen() : null;
  const zone = seen?.jobs[0]?.zone;
  if (!seen || !zone) return null;
  return (
    <div className={classes['told']}>
      <Notice tone="warning">{t('seen', { at: actTime(new Date(seen.at).toISOString(), zone) })}</Notice>
    </div>
  );
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
    const day = dayIn(zone, new Date(instant));
    return formatDayAndClock(
      formatCalendarDate(day, language, { year: 'numeric', month: 'short', day: 'numeric' }),
      formatTime(instant, zone, language),
      language,
    );
  };
}

/** Where a job stands for the mate, in words, and whether their answer is waited for; what waits to be sent counts already. */
export function useStanding(): (job: MateJob) => { text: string; asked: boolean } {
  const { t } = useTranslation('myJobs');
  const { waiting } = usePressed(useMe());
  return (job) => {
    const says = (act: Act) => waiting.some((one) => one.kind === 'act' && one.job === job.id && one.act === act);
    const stands = (text: string) => ({ text, asked: false });
    if (job.finishedAt || says('finish')) return stands(t('state.finished'));
    if (job.startedAt || says('start')) return stands(t('state.started'));
    if (job.status !== 'assigned') return stands(t('state.over'));
    if (says('decline')) return stands(t('state.declined'));
    if (job.acceptedAt || says('accept')) return stands(t('state.accepted'));
    return { text: t('state.asked'), asked: true };
  };
}

/** What one press said, in words. */
function useSaidText(): (one: Pressed) => string {
  const { t } = useTranslation('myJobs');
  return (one) => {
    if (one.kind === 'act') return t(`act.${one.act}`);
    return one.kind === 'note' ? t('waits.note') : t(`photo.waits.${one.stage}`);
  };
}

/** How many presses of a job wait for signal; nothing where none does. */
export function WaitingBadge({ job }: { job: string }) {
  const { t } = useTranslation('myJobs');
  const { waiting } = usePressed(useMe());
  const count = waiting.filter((one) => one.job === job).length;
  return count > 0 ? <span className={classes['badge']}>{t('waits.badge', { count })}</span> : null;
}

/** What was pressed and is not sent yet, and what was not taken. */
export function Waiting() {
  const { t } = useTranslation('myJobs');
  const me = useMe();
  const saidText = useSaidText();
  useSending(me);
  const { waiting, refused, unkept } = usePressed(me);
  return (
    <div role="status" className={classes['told']}>
      {waiting.length > 0 ? (
        <Notice tone="info">
          <p>{t('waiting', { count: waiting.length })}</p>
          {unkept ? <p>{t('waiting.unkept')}</p> : null}
          <ul>
            {waiting.map((one) => (
              <li key={one.key}>{t('waits.one', { number: one.number, said: saidText(one) })}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {refused.length > 0 ? (
        <Notice
          tone="warning"
          action={
            <Button variant="default" onClick={() => void forgetRefused(me)}>
              {t('refused.read')}
            </Button>
          }
        >
          {refused.map((one) => (
            <div key={one.key}>
              <p>
                {t('refused', {
                  number: one.number,
                  said: saidText(one),
                  detail: one.notTheirs === true ? t('gone') : one.refused || t('refused.unknown'),
                })}
              </p>
              {one.kind === 'note' ? <p className={classes['typed']}>{one.text}</p> : null}
            </div>
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
  const waits = (act: Act) => waiting.some((one) => one.kind === 'act' && one.job === job.id && one.act === act);
  const say = (act: Act) => () => void press(job, { kind: 'act', act }, me);
  const [asking, setAsking] = useState(false);
  const decline = () => {
    say('decline')();
    setAsking(false);
    // what was pressed goes, and then the job: the heading stays
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  };
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
        <Button size="md" variant="default" onClick={() => setAsking(true)}>
          {t('act.decline')}
        </Button>
      ) : null}
      <ConfirmDialog
        opened={asking}
        title={t('decline.question', { number: job.shortId })}
        confirmLabel={t('decline.confirm')}
        cancelLabel={t('decline.keep')}
        danger
        onConfirm={decline}
        onCancel={() => setAsking(false)}
      >
        {t('decline.follows')}
      </ConfirmDialog>
    </div>
  );
}
