import { NativeSelect } from '@mantine/core';
import { asProblem } from '@portage/api';
import { queryClient } from '@portage/frame';
import { formatCalendarDate, formatList, formatName, useLanguage } from '@portage/i18n';
import { Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import type { Day } from '@portage/kit/desk/dates';
import { Drawer } from '@portage/kit/desk/drawer';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './dispatch.module.css';
import type { Lane } from './lanes.ts';
import { addAbsence, dispatchKey, nameCrew, suggestionsQuery } from './queries.ts';
import { type Instead, replacementsOf } from './replacements.ts';
import type { DispatchJob, SuggestedMate } from './types.ts';
import { useTimes } from './words.ts';

interface SickPanelProps {
  hub: string;
  day: Day;
  /** The mate who does not come, with the jobs of that day; null when there is none. */
  lane: Lane | null;
  onClose: () => void;
}

/** Somebody does not come: what they were on, and who goes instead. Everybody concerned is told once, when it is sent. */
export function SickPanel({ hub, day, lane, onClose }: SickPanelProps) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  return (
    <Drawer
      opened={lane !== null}
      onClose={onClose}
      title={lane ? t('sick.title', { name: formatName(lane.name) }) : t('loading')}
      kicker={formatCalendarDate(day, language, { dateStyle: 'full' })}
      returnFocusTo={() => (lane ? document.querySelector<HTMLElement>(`[data-sick="${lane.id}"]`) : null)}
    >
      {lane ? <Affected key={lane.id} hub={hub} day={day} lane={lane} onClose={onClose} /> : null}
    </Drawer>
  );
}

function Affected({ hub, day, lane, onClose }: SickPanelProps & { lane: Lane }) {
  const { t } = useTranslation('dispatch');
  const jobs = lane.jobs.filter(({ status }) => status === 'assigned' || status === 'pending');
  const found = useQueries({ queries: jobs.map(({ id }) => suggestionsQuery(id)) });
  const failed = found.find(({ isError }) => isError);
  if (failed)
    return <Failed title={t('panel.failed')} failure={asProblem(failed.error)} onRetry={() => void failed.refetch()} />;
  const suggested = found.flatMap(({ data }) => (data ? [data] : []));
  if (suggested.length < jobs.length) return <Skeleton label={t('sick.jobs')} rows={4} />;
  return (
    <SickForm
      hub={hub}
      day={day}
      lane={lane}
      rows={replacementsOf(lane.id, jobs, suggested)}
      away={lane.away}
      onClose={onClose}
    />
  );
}

interface SickFormProps {
  hub: string;
  day: Day;
  lane: Lane;
  rows: readonly Instead[];
  /** They are written down as away already. */
  away: boolean;
  onClose: () => void;
}

/** What stayed as it was, by job. */
interface Left {
  job: DispatchJob;
  why: string;
}

function SickForm({ hub, day, lane, rows, away, onClose }: SickFormProps) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  const times = useTimes();
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(
    () => new Map(rows.map(({ job, mateId }) => [job.id, mateId ?? ''])),
  );
  // whoever somebody else has taken meanwhile is offered no more: what is shown is what is sent
  const instead = ({ job, free }: Instead) => free.find(({ id }) => id === chosen.get(job.id))?.id ?? '';
  const [key] = useState(() => crypto.randomUUID());
  const send = useMutation({
    mutationFn: async () => {
      if (!away) await addAbsence({ hub, mateId: lane.id, from: day, to: day, reason: t('sick.reason') }, key);
      const left: Left[] = [];
      // One after the other: who is sent to one job may be too far from the next.
      for (const row of rows) {
        const { job } = row;
        const next = instead(row);
        if (next === '') continue;
        const others = job.crew.map(({ mateId }) => mateId).filter((id) => id !== lane.id);
        try {
          await nameCrew(job.id, [...others, next], job.truck?.id);
        } catch (error) {
          left.push({ job, why: asProblem(error).detail });
        }
      }
      return left;
    },
    onSuccess: async (left) => {
      await queryClient.invalidateQueries({ queryKey: dispatchKey });
      if (left.length > 0) return;
      showToast({ text: t('sick.done', { name: formatName(lane.name) }) });
      onClose();
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: dispatchKey }),
  });
  const problem = send.isError ? asProblem(send.error) : null;
  /** What speaks for who was chosen. */
  const why = (free: readonly SuggestedMate[], mateId = '') => {
    const reasons = free.find(({ id }) => id === mateId)?.reasons ?? [];
    return formatList(
      reasons.map((reason) => t(`reason.${reason}`)),
      language,
    );
  };
  const open = rows.filter((row) => instead(row) === '');
  return (
    <form
      className={classes['crew']}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <p className="pg-help">{rows.length === 0 ? t('sick.none') : t('sick.lead')}</p>
      <ul className={classes['choices']}>
        {rows.map((row) => {
          const { job, free } = row;
          return (
            <li key={job.id}>
              <NativeSelect
                label={t('sick.instead', { number: job.shortId, times: times(job) })}
                description={t('way', { from: job.pickup.city, to: job.dropoff.city })}
                value={instead(row)}
                data={[
                  { value: '', label: t('sick.later') },
                  ...free.map(({ id, name }) => ({ value: id, label: formatName(name) })),
                ]}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  setChosen((before) => new Map(before).set(job.id, value));
                }}
              />
              <p className="pg-help">{free.length === 0 ? t('sick.nobody') : why(free, instead(row))}</p>
            </li>
          );
        })}
      </ul>
      <div role="status" className={classes['told']}>
        {open.length > 0 ? t('sick.open', { count: open.length }) : null}
      </div>
      {problem ? (
        <p role="alert" className={classes['refused']}>
          <Reason failure={problem} />
        </p>
      ) : null}
      {send.data && send.data.length > 0 ? (
        <ul role="alert" className={classes['refused']}>
          {send.data.map(({ job, why }) => (
            <li key={job.id}>{t('left', { number: job.shortId, why })}</li>
          ))}
        </ul>
      ) : null}
      <div className={classes['actions']}>
        <DeskButton variant="primary" submit busy={send.isPending}>
          {t('sick.send')}
        </DeskButton>
        <DeskButton onClick={onClose}>{t('panel.close')}</DeskButton>
      </div>
    </form>
  );
}
