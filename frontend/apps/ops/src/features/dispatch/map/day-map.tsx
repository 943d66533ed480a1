import { formatName, formatNumber, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { type Tab, Tabs } from '@portage/kit/desk/tabs';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useHubName } from '../../../shell/hubs.ts';
import { kmBetween, type Point } from '../../../shell/map/geometry.ts';
import { useLaneName } from '../lane-name.ts';
import { type Lane, lanesOf, queueOf } from '../lanes.ts';
import type { DispatchBoard, DispatchJob } from '../types.ts';
import type { Lanes } from '../use-address.ts';
import { useTimes } from '../words.ts';
import { Drawing } from './drawing.tsx';
import { legsOf } from './legs.ts';
import classes from './map.module.css';

interface DayMapProps {
  board: DispatchBoard;
  tabs: Tab<Lanes>[];
  by: Lanes;
  setBy: (by: Lanes) => void;
  onMove: (id: string) => void;
}

/** The jobs of a day where they are: each mate's, truck's or crew's route in its order, and what lacks people. Beside the drawing all of it stands in words. */
export function DayMap({ board, tabs, by, setBy, onMove }: DayMapProps) {
  const { t } = useTranslation('dispatch');
  return (
    <Tabs label={t('lanes')} tabs={tabs} value={by} onChange={setBy}>
      {(key) => <Routes key={key} board={board} by={key} onMove={onMove} />}
    </Tabs>
  );
}

function Routes({ board, by, onMove }: Pick<DayMapProps, 'board' | 'by' | 'onMove'>) {
  const { t } = useTranslation(['dispatch', 'shell', 'sketch']);
  const hubName = useHubName();
  const [chosen, setChosen] = useState<string | null>(null);
  const lanes = lanesOf(board, by).filter(({ jobs }) => jobs.length > 0);
  const queue = queueOf(board);
  const depot = board.depot ?? null;
  // somebody else may have taken the jobs of who was chosen
  const shown = lanes.find(({ id }) => id === chosen) ?? null;
  return (
    <div className={classes['map']}>
      <figure className={classes['figure']}>
        <Drawing
          label={t('map.drawn', { count: board.jobs.length, hub: board.hub ? hubName(board.hub) : t('shell:hub.all') })}
          depot={depot}
          routes={lanes.map(({ id, jobs }) => ({ id, jobs, legs: legsOf(depot, jobs) }))}
          waiting={queue}
          chosen={shown?.id ?? null}
        />
        <figcaption className={classes['legend']}>
          <ul>
            <li data-mark="depot">{t('shell:hub.label')}</li>
            <li data-mark="pickup">{t('map.pickup')}</li>
            <li data-mark="dropoff">{t('map.dropoff')}</li>
            <li data-mark="waits">{t('map.waits')}</li>
          </ul>
          <p>{t('sketch:straight')}</p>
        </figcaption>
      </figure>
      <div className={classes['words']}>
        <div className={classes['head']}>
          <h3>{t('map.routes')}</h3>
          {shown ? <DeskButton onClick={() => setChosen(null)}>{t('map.all')}</DeskButton> : null}
        </div>
        {lanes.length === 0 ? <p className="pg-help">{t('map.none')}</p> : null}
        <ul className={classes['routes']}>
          {lanes.map((lane) => (
            <Route
              key={lane.id}
              lane={lane}
              depot={depot}
              chosen={lane.id === shown?.id}
              onChoose={() => setChosen(lane.id === shown?.id ? null : lane.id)}
            />
          ))}
        </ul>
        {queue.length > 0 ? (
          <section aria-labelledby="map-open" data-queue="">
            <h3 id="map-open">{t('map.open')}</h3>
            <ul className={classes['stops']}>
              {queue.map((job) => (
                <li key={job.id}>
                  <Stop job={job} />
                  <DeskButton
                    data-move={job.id}
                    aria-label={t('move.of', { number: job.shortId })}
                    onClick={() => onMove(job.id)}
                  >
                    {t('move')}
                  </DeskButton>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </div>
  );
}

interface RouteProps {
  lane: Lane;
  depot: Point | null;
  chosen: boolean;
  onChoose: () => void;
}

/** A route in words: whose it is, and its jobs in their order; pressed, it stands out on the drawing. */
function Route({ lane, depot, chosen, onChoose }: RouteProps) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  const name = useLaneName()(lane);
  const empty = legsOf(depot, lane.jobs).filter(({ work }) => !work);
  const km = empty.reduce((sum, { from, to }) => sum + kmBetween(from, to), 0);
  return (
    <li data-chosen={chosen || undefined}>
      <DeskButton aria-pressed={chosen} aria-label={t('map.show', { name })} onClick={onChoose}>
        {name}
      </DeskButton>
      <ol className={classes['stops']}>
        {lane.jobs.map((job) => (
          <li key={job.id}>
            <Stop job={job} />
          </li>
        ))}
      </ol>
      {empty.length > 0 ? (
        <p className={classes['where']}>
          {t('map.ways', { km: formatNumber(km, language, { maximumFractionDigits: 0 }) })}
        </p>
      ) : null}
    </li>
  );
}

function Stop({ job }: { job: DispatchJob }) {
  const { t } = useTranslation('dispatch');
  const times = useTimes();
  return (
    <>
      <p>
        <span className={classes['times']}>{times(job)}</span>{' '}
        <Link to="/bookings/$id" params={{ id: job.id }}>
          {job.shortId}
        </Link>{' '}
        {formatName(job.customerName)}
      </p>
      <p className={classes['where']}>{t('way', { from: job.pickup.city, to: job.dropoff.city })}</p>
    </>
  );
}
