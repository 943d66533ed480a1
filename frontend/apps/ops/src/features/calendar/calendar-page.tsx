import { asProblem } from '@portage/api';
import { queryClient } from '@portage/frame';
import { PageHeading } from '@portage/kit';
import { DeskButton, IconButton } from '@portage/kit/desk/button';
import { addDays } from '@portage/kit/desk/dates';
import { Failed, NothingYet, Skeleton } from '@portage/kit/desk/states';
import { type Tab, Tabs } from '@portage/kit/desk/tabs';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../../shell/company.ts';
import { feedOfHub } from '../../shell/feed/calls.ts';
import { FeedPart } from '../../shell/feed/feed-part.tsx';
import { HubsAwaited, HubSelect } from '../../shell/hub-select.tsx';
import { useChanges } from '../../shell/live.ts';
import { AbsenceForm } from './absence-form.tsx';
import { AbsenceRows } from './absence-rows.tsx';
import classes from './calendar.module.css';
import { DayPanel } from './day-panel.tsx';
import { calendarKey, weekQuery, yearQuery } from './queries.ts';
import { firstYear, type Hub, lastYear, type Part, useAddress } from './use-address.ts';
import { WeekForm } from './week-form.tsx';
import { YearView } from './year-view.tsx';

/** What a change of these kinds does to the days of a hub. */
const kinds = new Set(['calendar', 'absence', 'booking']);
/** Absences that begin within so many days are listed. */
const comingDays = 399;

/** A hub's people and trucks by the day: the year, the usual week, and who is away. */
function CalendarPage() {
  const { t } = useTranslation(['calendar', 'shell', 'feed']);
  const address = useAddress();
  const { hub, part } = address;
  useChanges(({ kind }) => {
    if (kinds.has(kind)) void queryClient.invalidateQueries({ queryKey: calendarKey });
  });
  const tabs: Tab<Part>[] = [
    { key: 'year', label: t('part.year') },
    { key: 'week', label: t('part.week') },
    { key: 'absences', label: t('part.absences') },
    { key: 'feed', label: t('feed:title') },
  ];
  return (
    <>
      <PageHeading title={t('shell:area.calendar')} lead={t('lead')} />
      <div className={`${classes['head']} ${classes['form']}`}>
        {hub === null ? null : <HubSelect value={hub} onChange={address.setHub} />}
      </div>
      {hub === null ? (
        <HubsAwaited />
      ) : (
        <Tabs label={t('parts')} tabs={tabs} value={part} onChange={address.setPart}>
          {(key) =>
            key === 'year' ? (
              <YearPart address={address} hub={hub} />
            ) : key === 'week' ? (
              <WeekPart key={hub} hub={hub} />
            ) : key === 'absences' ? (
              <AbsencesPart key={hub} hub={hub} />
            ) : (
              <FeedPart key={hub} calls={feedOfHub(hub)} />
            )
          }
        </Tabs>
      )}
    </>
  );
}

function YearPart({ address, hub }: { address: ReturnType<typeof useAddress>; hub: Hub }) {
  const { t } = useTranslation('calendar');
  const { year, day, setDay, setYear, setPart } = address;
  const answer = useQuery(yearQuery(hub, year));
  const week = useQuery(weekQuery(hub));
  const days = answer.data?.days ?? [];
  // a hub without a week may still have days with numbers of their own
  const bare = week.data?.version === 0 && days.every(({ override, taken }) => !override && taken.mates === 0);
  const today = answer.data?.today ?? deskToday();
  return (
    <>
      <div className={classes['head']}>
        <div className={classes['year']} role="group" aria-label={t('year')}>
          <IconButton label={t('year.previous')} disabled={year <= firstYear} onClick={() => setYear(year - 1)}>
            <IconChevronLeft size={16} stroke={1.75} aria-hidden />
          </IconButton>
          <h2 className={classes['yearName']} aria-live="polite">
            {year}
          </h2>
          <IconButton label={t('year.next')} disabled={year >= lastYear} onClick={() => setYear(year + 1)}>
            <IconChevronRight size={16} stroke={1.75} aria-hidden />
          </IconButton>
        </div>
      </div>
      {answer.isError ? (
        <Failed title={t('failed')} failure={asProblem(answer.error)} onRetry={() => void answer.refetch()} />
      ) : null}
      {answer.isPending || week.isPending ? (
        <Skeleton label={t('part.year')} rows={8} />
      ) : bare && answer.data ? (
        <NothingYet
          title={t('empty')}
          action={
            <DeskButton variant="primary" onClick={() => setPart('week')}>
              {t('empty.do')}
            </DeskButton>
          }
        >
          {t('empty.help')}
        </NothingYet>
      ) : answer.data ? (
        <YearView key={hub} year={year} days={days} today={today} day={day} onDay={setDay} />
      ) : null}
      <DayPanel hub={hub} day={answer.data || !answer.isError ? day : null} days={days} today={today} onDay={setDay} />
    </>
  );
}

function WeekPart({ hub }: { hub: Hub }) {
  const { t } = useTranslation('calendar');
  const week = useQuery(weekQuery(hub));
  if (week.data)
    return (
      <div className={classes['part']}>
        <WeekForm hub={hub} week={week.data} />
      </div>
    );
  if (week.isError)
    return <Failed title={t('week.failed')} failure={asProblem(week.error)} onRetry={() => void week.refetch()} />;
  return <Skeleton label={t('part.week')} rows={7} />;
}

function AbsencesPart({ hub }: { hub: Hub }) {
  const { t } = useTranslation('calendar');
  // the hub's own day, where its calendar is known already; both are the same but for a few hours of the night
  const today = useQuery(weekQuery(hub)).data?.today ?? deskToday();
  return (
    <div className={classes['part']}>
      <section aria-labelledby="absences-new">
        <h2 id="absences-new" className={classes['partTitle']}>
          {t('absence.new')}
        </h2>
        <AbsenceForm hub={hub} today={today} />
      </section>
      <section aria-labelledby="absences-coming">
        <h2 id="absences-coming" className={classes['partTitle']}>
          {t('absence.coming')}
        </h2>
        <AbsenceRows hub={hub} from={today} to={addDays(today, comingDays)} empty={t('absence.none')} />
      </section>
    </div>
  );
}

export const Route = createLazyRoute('/desk/calendar')({ component: CalendarPage });
