import { asProblem } from '@portage/api';
import { useDurationText } from '@portage/domain';
import { queryClient } from '@portage/frame';
import { formatCalendarDate, formatList, formatName, formatNumber, useLanguage } from '@portage/i18n';
import { ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import type { Day } from '@portage/kit/desk/dates';
import { Drawer } from '@portage/kit/desk/drawer';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { Fact, Facts, Section } from '../../shell/catalogue/parts.tsx';
import classes from './dispatch.module.css';
import { assignDay, dispatchKey, planQuery } from './queries.ts';
import type { DispatchPlan, OpenJob, PlannedJob, PlannedMate } from './types.ts';
import { useTimes } from './words.ts';

interface AutoPanelProps {
  hub: string;
  day: Day;
  opened: boolean;
  onClose: () => void;
}

/** The whole day at once: who would go where, what that saves and what stays open. Nothing is sent before it is confirmed. */
export function AutoPanel({ hub, day, opened, onClose }: AutoPanelProps) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('auto.title')}
      kicker={formatCalendarDate(day, language, { dateStyle: 'full' })}
      returnFocusTo={() => document.querySelector<HTMLElement>('[data-auto]')}
    >
      {opened ? <Preview key={`${hub} ${day}`} hub={hub} day={day} onClose={onClose} /> : null}
    </Drawer>
  );
}

function Preview({ hub, day, onClose }: Omit<AutoPanelProps, 'opened'>) {
  const { t } = useTranslation('dispatch');
  const found = useQuery(planQuery(hub, day));
  const send = useMutation({
    mutationFn: (version: string) => assignDay(hub, day, version),
    onSuccess: async (done) => {
      await queryClient.invalidateQueries({ queryKey: dispatchKey });
      if (done.jobs.some(({ refused }) => refused !== null)) return;
      showToast({ text: t('auto.done', { count: done.jobs.length }) });
      onClose();
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: dispatchKey });
      // what was looked at is not what would be sent any more
      if (asProblem(error).code === 'plan_changed') void found.refetch();
    },
  });
  if (found.isPending) return <Skeleton label={t('auto.loading')} rows={8} />;
  if (!found.data)
    return <Failed title={t('auto.failed')} failure={asProblem(found.error)} onRetry={() => void found.refetch()} />;
  const plan = found.data;
  const refused = send.data?.jobs.filter((job) => job.refused !== null) ?? [];
  return (
    <form
      className={classes['crew']}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(plan.version);
      }}
    >
      <PlanView plan={plan} />
      <div className={classes['decide']}>
        <div role="status">{send.data ? t('auto.done', { count: send.data.jobs.length - refused.length }) : null}</div>
        {send.isError ? <ErrorState failure={asProblem(send.error)} title={t('auto.refused')} /> : null}
        {refused.length > 0 ? (
          <ul role="alert" className={classes['refused']}>
            {refused.map(({ id, shortId, refused: why }) => (
              <li key={id}>{t('left', { number: shortId, why: why?.detail ?? '' })}</li>
            ))}
          </ul>
        ) : null}
        <div className={classes['actions']}>
          {plan.jobs.length > 0 && !send.data ? (
            <DeskButton variant="primary" submit busy={send.isPending || found.isFetching}>
              {t('auto.send', { count: plan.jobs.length })}
            </DeskButton>
          ) : null}
          <DeskButton onClick={onClose}>{send.data ? t('auto.close') : t('panel.close')}</DeskButton>
        </div>
      </div>
    </form>
  );
}

function PlanView({ plan }: { plan: DispatchPlan }) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  const duration = useDurationText();
  if (plan.jobs.length === 0 && plan.open.length === 0) return <p className="pg-help">{t('auto.none')}</p>;
  return (
    <>
      <p className="pg-help">{plan.jobs.length === 0 ? t('auto.nobody') : t('auto.lead')}</p>
      {plan.jobs.length > 0 ? (
        <>
          <div className={classes['sums']}>
            <Facts>
              <Fact name={t('auto.driving')}>{duration(plan.drivingMinutes)}</Fact>
              <Fact name={t('auto.listed')}>
                {t('auto.listed.time', { time: duration(plan.listedDrivingMinutes), count: plan.listedJobs })}
              </Fact>
              <Fact name={t('auto.saved')}>
                {plan.savedPercent > 0
                  ? formatNumber(plan.savedPercent / 100, language, { style: 'percent' })
                  : t('auto.saved.none')}
              </Fact>
            </Facts>
          </div>
          <Section title={t('auto.jobs', { count: plan.jobs.length })}>
            <ul className={classes['choices']}>
              {plan.jobs.map((job) => (
                <Planned key={job.id} job={job} />
              ))}
            </ul>
          </Section>
        </>
      ) : null}
      {plan.open.length > 0 ? (
        <Section title={t('auto.open', { count: plan.open.length })}>
          <ul className={classes['choices']}>
            {plan.open.map((job) => (
              <Open key={job.id} job={job} />
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}

function Head({ job }: { job: PlannedJob | OpenJob }) {
  const { t } = useTranslation('dispatch');
  const times = useTimes();
  return (
    <>
      <p className={classes['when']}>
        <span className={classes['times']}>{times(job)}</span> {/* read as two words */}
        <span>{job.shortId}</span> <span>{formatName(job.customerName)}</span>
      </p>
      <p className={classes['where']}>{t('way', { from: job.pickup.city, to: job.dropoff.city })}</p>
    </>
  );
}

function Planned({ job }: { job: PlannedJob }) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  const about = ({ onIt, reasons, wayMinutes }: PlannedMate) =>
    formatList(
      onIt
        ? [t('auto.stays')]
        : [
            // how near somebody is, the minutes say
            ...reasons.filter((reason) => reason !== 'near').map((reason) => t(`reason.${reason}`)),
            ...(wayMinutes === null ? [] : [t('auto.way', { minutes: wayMinutes })]),
          ],
      language,
    );
  const { truck } = job;
  return (
    <li>
      <Head job={job} />
      <ul className={classes['goes']}>
        {job.crew.map((mate) => (
          <li key={mate.mateId}>
            <span className={classes['name']}>{formatName(mate.name)}</span> <span>{about(mate)}</span>
          </li>
        ))}
        {truck ? (
          <li>
            <span className={classes['name']}>
              {truck.size ? t('truck', { name: truck.name, feet: Number.parseInt(truck.size, 10) }) : truck.name}
            </span>{' '}
            {truck.onIt ? <span>{t('auto.stays')}</span> : null}
          </li>
        ) : null}
      </ul>
    </li>
  );
}

function Open({ job }: { job: OpenJob }) {
  const { t } = useTranslation('dispatch');
  return (
    <li>
      <Head job={job} />
      <p className={classes['why']}>
        {job.reason === 'too_few'
          ? t('auto.open.too_few', { count: job.lacking, free: job.free })
          : t(`auto.open.${job.reason}`)}
      </p>
    </li>
  );
}
