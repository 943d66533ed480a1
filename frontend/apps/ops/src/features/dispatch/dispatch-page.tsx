import { TextInput } from '@mantine/core';
import { asProblem } from '@portage/api';
import { queryClient } from '@portage/frame';
import { formatCalendarDate, formatName, useLanguage } from '@portage/i18n';
import { type Failure, PageHeading } from '@portage/kit';
import { DeskButton, IconButton } from '@portage/kit/desk/button';
import { addDays, isDay, startOfWeek } from '@portage/kit/desk/dates';
import { Failed, NothingYet, Skeleton } from '@portage/kit/desk/states';
import { type Tab, Tabs } from '@portage/kit/desk/tabs';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../../shell/company.ts';
import { HubsAwaited, HubSelect } from '../../shell/hub-select.tsx';
import { allHubs } from '../../shell/hubs.ts';
import { useChanges } from '../../shell/live.ts';
import { AutoPanel } from './auto-panel.tsx';
import { CrewPanel } from './crew-panel.tsx';
import classes from './dispatch.module.css';
import { DragBoard, useDropPlace } from './drag.tsx';
import type { Drop, Place } from './drop.ts';
import { EveryHub, JobCard } from './job-card.tsx';
import { useLaneName } from './lane-name.ts';
import { type Lane, lanesOf, placeOf, queueOf } from './lanes.ts';
import { boardQuery, dispatchKey } from './queries.ts';
import { SickPanel } from './sick-panel.tsx';
import type { DispatchBoard, DispatchJob } from './types.ts';
import { type Lanes, spans, useAddress } from './use-address.ts';
import { WeekView } from './week-view.tsx';

// most looks at the board are at its lanes
const DayMap = lazy(async () => ({ default: (await import('./map/day-map.tsx')).DayMap }));

/** What a change of these kinds does to the board. */
const kinds = new Set(['booking', 'crew', 'absence', 'mate', 'truck']);

function DispatchPage() {
  const { hub, ...rest } = useAddress();
  return hub === null ? <HubsAwaited /> : <Dispatch address={{ hub, ...rest }} />;
}

type Address = Omit<ReturnType<typeof useAddress>, 'hub'> & { hub: string };

/** Who goes where on a day or in a week of a hub or of all, with which truck, and what waits for somebody. */
function Dispatch({ address }: { address: Address }) {
  const { t } = useTranslation(['dispatch', 'shell']);
  const language = useLanguage();
  const { hub, day } = address;
  const every = hub === allHubs;
  const week = address.span === 'week';
  const first = week ? startOfWeek(day, language) : day;
  const days = week ? Array.from({ length: 7 }, (_, n) => addDays(first, n)) : [day];
  const shown = boardQuery(hub, first, days.at(-1) ?? day);
  const board = useQuery(shown);
  const [asked, setAsked] = useState<{ job: string; drop: Drop } | null>(null);
  const step = days.length;
  useChanges(({ kind }) => {
    if (kinds.has(kind)) void queryClient.invalidateQueries({ queryKey: dispatchKey });
  });
  const tabs: Tab<Lanes>[] = [
    { key: 'mates', label: t('shell:area.mates') },
    { key: 'trucks', label: t('shell:area.trucks') },
    { key: 'crews', label: t('lanes.crews') },
  ];
  const job = board.data?.jobs.find(({ id }) => id === address.job) ?? null;
  const sick = board.data ? (lanesOf(board.data, 'mates').find(({ id }) => id === address.sick) ?? null) : null;
  return (
    <>
      <PageHeading title={t('shell:area.dispatch')} lead={t('lead')} />
      <div className={classes['head']}>
        <HubSelect value={hub} onChange={address.setHub} all />
        <TextInput
          label={t('day')}
          type="date"
          value={day}
          onChange={(event) => {
            if (isDay(event.currentTarget.value)) address.setDay(event.currentTarget.value);
          }}
        />
        <div className={classes['turn']} role="group" aria-label={t('day.turn')}>
          <IconButton
            label={week ? t('week.previous') : t('day.previous')}
            onClick={() => address.setDay(addDays(day, -step))}
          >
            <IconChevronLeft size={16} stroke={1.75} aria-hidden />
          </IconButton>
          <DeskButton onClick={() => address.setDay(board.data?.today ?? deskToday())}>{t('day.today')}</DeskButton>
          <IconButton label={week ? t('week.next') : t('day.next')} onClick={() => address.setDay(addDays(day, step))}>
            <IconChevronRight size={16} stroke={1.75} aria-hidden />
          </IconButton>
        </div>
        <div className={classes['turn']} role="group" aria-label={t('span')}>
          {spans.map((span) => (
            <DeskButton key={span} aria-pressed={address.span === span} onClick={() => address.setSpan(span)}>
              {t(`span.${span}`)}
            </DeskButton>
          ))}
        </div>
        <Link to="/dispatch/sheet" search={(every ? { day } : { hub, day }) as never} className={classes['paper']}>
          {t('sheet')}
        </Link>
      </div>
      <h2 className={classes['date']} aria-live="polite">
        {week
          ? t('week.of', {
              from: formatCalendarDate(first, language, { day: 'numeric', month: 'long' }),
              until: formatCalendarDate(days.at(-1) ?? day, language, { dateStyle: 'long' }),
            })
          : formatCalendarDate(day, language, { dateStyle: 'full' })}
      </h2>
      {board.isError ? (
        <Failed title={t('failed')} failure={asProblem(board.error)} onRetry={() => void board.refetch()} />
      ) : null}
      {board.isPending ? <Skeleton label={t('loading')} rows={8} /> : null}
      {board.data ? (
        <DragBoard
          queryKey={shown.queryKey}
          onAsk={(id, drop) => {
            setAsked({ job: id, drop });
            address.setJob(id);
          }}
        >
          {(refused) => (
            <EveryHub value={every}>
              <Refused refused={refused} />
              {board.data.jobs.length === 0 ? (
                <NothingYet
                  title={week ? t('week.empty') : t('empty')}
                  action={
                    every ? null : <DeskButton onClick={() => address.setHub(allHubs)}>{t('shell:hub.all')}</DeskButton>
                  }
                >
                  {every ? t('empty.all') : t('empty.elsewhere')}
                </NothingYet>
              ) : address.span === 'map' ? (
                <Suspense fallback={<Skeleton label={t('map.loading')} rows={8} />}>
                  <DayMap
                    board={board.data}
                    tabs={tabs}
                    by={address.by}
                    setBy={address.setBy}
                    onMove={address.setJob}
                  />
                </Suspense>
              ) : week ? (
                <WeekView
                  board={board.data}
                  days={days}
                  tabs={tabs}
                  by={address.by}
                  setBy={address.setBy}
                  onMove={address.setJob}
                />
              ) : (
                <BoardView
                  board={board.data}
                  tabs={tabs}
                  by={address.by}
                  setBy={address.setBy}
                  onMove={address.setJob}
                  onSick={address.setSick}
                  onPlan={every ? null : () => address.setPlan(true)}
                />
              )}
            </EveryHub>
          )}
        </DragBoard>
      ) : null}
      <AutoPanel hub={hub} day={day} opened={address.plan && !every} onClose={() => address.setPlan(false)} />
      <CrewPanel
        job={job}
        dropped={asked?.job === job?.id ? (asked?.drop ?? null) : null}
        onClose={() => {
          setAsked(null);
          address.setJob(null);
        }}
      />
      <SickPanel
        // an absence is written down at a hub: where all are shown, at the one whose job they were on
        hub={every ? (sick?.jobs[0]?.hub ?? '') : hub}
        day={day}
        lane={sick}
        onClose={() => address.setSick(null)}
      />
    </>
  );
}

/** Why a job that was dropped is back where it was. */
function Refused({ refused }: { refused: { job: DispatchJob; failure: Failure } | null }) {
  const { t } = useTranslation('dispatch');
  if (!refused) return null;
  return (
    <p role="alert" className={classes['refused']}>
      {t('left', { number: refused.job.shortId, why: refused.failure.detail })}
    </p>
  );
}

interface BoardViewProps {
  board: DispatchBoard;
  tabs: Tab<Lanes>[];
  by: Lanes;
  setBy: (by: Lanes) => void;
  onMove: (id: string) => void;
  onSick: (mateId: string) => void;
  /** Plans the whole day; null where all hubs are shown: a plan is made for one. */
  onPlan: (() => void) | null;
}

function BoardView({ board, tabs, by, setBy, onMove, onSick, onPlan }: BoardViewProps) {
  const { t } = useTranslation(['dispatch', 'shell']);
  const queue = queueOf(board);
  const takes = useDropPlace();
  const lacks =
    queue.length > 0 || board.jobs.some(({ conflicts }) => conflicts.some(({ code }) => code === 'no_truck'));
  return (
    <>
      <section aria-labelledby="dispatch-queue" data-queue="" className={classes['queue']} {...takes({ by: 'queue' })}>
        <div className={classes['queueHead']}>
          <h3 id="dispatch-queue">{t('queue', { count: queue.length })}</h3>
          {lacks && onPlan ? (
            <DeskButton data-auto="" onClick={onPlan}>
              {t('auto')}
            </DeskButton>
          ) : null}
        </div>
        {queue.length === 0 ? (
          <p className="pg-help">{t('queue.empty')}</p>
        ) : (
          <ul className={classes['cards']}>
            {queue.map((job) => (
              <JobCard key={job.id} job={job} from={{ by: 'queue' }} onMove={onMove} />
            ))}
          </ul>
        )}
      </section>
      <p className={classes['hint']}>{t('drag')}</p>
      <Tabs label={t('lanes')} tabs={tabs} value={by} onChange={setBy}>
        {(key) => (
          <div className={classes['lanes']}>
            {lanesOf(board, key).map((lane) => (
              <LaneView key={lane.id} by={key} lane={lane} onMove={onMove} {...(key === 'mates' ? { onSick } : {})} />
            ))}
          </div>
        )}
      </Tabs>
    </>
  );
}

interface LaneViewProps {
  by: Lanes;
  lane: Lane;
  onMove: (id: string) => void;
  /** Of a mate: they do not come. */
  onSick?: (mateId: string) => void;
}

function LaneView({ by, lane, onMove, onSick }: LaneViewProps) {
  const { t } = useTranslation('dispatch');
  const laneName = useLaneName();
  const takes = useDropPlace();
  const id = `lane-${lane.id}`;
  const place: Place = { by, id: lane.id };
  return (
    <section aria-labelledby={id} className={classes['lane']} {...takes(place)}>
      <div>
        <h3 id={id} className={classes['laneName']}>
          {laneName(lane)}
          {/* read as two words */} {lane.away ? <span className={classes['away']}>{t('reason.away')}</span> : null}
        </h3>
        {onSick && lane.jobs.length > 0 ? (
          <DeskButton
            data-sick={lane.id}
            aria-label={t('sick.of', { name: formatName(lane.name) })}
            onClick={() => onSick(lane.id)}
          >
            {t('sick')}
          </DeskButton>
        ) : null}
      </div>
      {lane.jobs.length === 0 ? (
        <p className={classes['free']}>{t('free')}</p>
      ) : (
        <div>
          <Strip jobs={lane.jobs} />
          <ol className={classes['track']}>
            {lane.jobs.map((job) => (
              <JobCard key={job.id} job={job} from={place} onMove={onMove} />
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}

/** The day of a lane, drawn: the ways lighter than the work. What it shows stands in words below it. */
function Strip({ jobs }: { jobs: readonly DispatchJob[] }) {
  return (
    <div className={classes['strip']} aria-hidden>
      {jobs.map((job) => {
        const { left, width, work } = placeOf(job);
        return (
          <span
            key={job.id}
            className={classes['span']}
            data-wrong={job.conflicts.length > 0 || undefined}
            style={{ left: `${left}%`, width: `${width}%` }}
          >
            <span className={classes['work']} style={{ left: `${work.left}%`, width: `${work.width}%` }} />
          </span>
        );
      })}
    </div>
  );
}

export const Route = createLazyRoute('/desk/dispatch')({ component: DispatchPage });
