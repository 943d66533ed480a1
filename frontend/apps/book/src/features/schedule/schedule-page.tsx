import { Button } from '@mantine/core';
import { api, asProblem, type AvailabilityDay, type Slot, provinceOf, unwrap } from '@portage/api';
import { Arrival, montrealZone, StartTime } from '@portage/domain';
import { FormProblems, SubmitButton, useFormShell } from '@portage/forms';
import { announce, BusyButton, ErrorState, Notice, PageHeading } from '@portage/kit';
import { formatCalendarDate, formatDayAndClock, formatMoney, useLanguage } from '@portage/i18n';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { stepOf, stepDone } from '../../booking/draft/steps.ts';
import { useDayPrices } from '../../booking/estimate/comparisons.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { knowDay } from '../../booking/estimate/estimate-query.ts';
import { ProblemState } from '../../booking/estimate/problem-state.tsx';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { TooFar } from '../../booking/wizard/too-far.tsx';
import { useGoOn, useGoOnText } from '../../booking/wizard/use-go-on.ts';
import {
  addDays,
  addMonths,
  daysInMonth,
  dayState,
  horizonDays,
  monthOf,
  nearestSlots,
  startClosed,
  todayInMontreal,
} from './calendar.ts';
import { MonthGrid } from './month-grid.tsx';
import { SlotList, useSlotText } from './slot-list.tsx';
import { Waiting } from './waiting.tsx';
import { isStartLost } from '../../booking/hold/lost-start.ts';
import { useEnsureHold, useHoldEnd, useHoldMinutes, useHoldState, usePlaceHold } from '../../booking/hold/use-hold.ts';

const path = '/schedule';

/** A start is taken from the server the moment it is chosen, so the form itself has no field. */
const schema = z.object({});

/** The days of a month that can be booked, from today on. */
function bookable(month: string, today: string): { from: string; days: number } {
  const from = `${month}-01` < today ? today : `${month}-01`;
  const end = addDays(`${month}-01`, daysInMonth(month) - 1);
  const last = addDays(today, horizonDays);
  const until = end > last ? last : end;
  const days = Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000) + 1;
  return { from, days: Math.min(42, Math.max(1, days)) };
}

/** Starts of one month, from today on, for this crew, duration and pickup. */
function useMonth(month: string, today: string, enabled: boolean) {
  const draft = useDraft();
  const { estimate, figures } = useEstimate();
  const { from, days } = bookable(month, today);
  const pickup = draft.ends.pickup.place;
  const dropoff = draft.ends.dropoff.place?.address;
  const query = {
    date: from,
    days,
    mateCount: draft.mateCount,
    duration: figures.estimatedDuration,
    justMates: draft.justMates,
    province: provinceOf(pickup?.address.province ?? '') ?? 'QC',
    city: pickup?.address.city ?? '',
    postalCode: pickup?.address.postalCode ?? '',
    ...pickup?.coords,
    dropoffProvince: provinceOf(dropoff?.province ?? '') ?? 'QC',
    dropoffCity: dropoff?.city ?? '',
    dropoffPostalCode: dropoff?.postalCode ?? '',
    moveKind: draft.bookingType,
    ...(estimate ? { tier: estimate.tier } : {}),
  };
  return useQuery({
    queryKey: ['/availability', query],
    enabled: enabled && estimate !== null,
    queryFn: ({ signal }) => unwrap(api.GET('/availability', { params: { query }, signal })),
    staleTime: 60_000,
    refetchOnWindowFocus: true,
    refetchInterval: 5 * 60_000,
    placeholderData: keepPreviousData,
  });
}

/** Gives the focus a place again after the control that had it went away. */
function focusIfLost(selector: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>(selector)?.focus();
  });
}

export function SchedulePage() {
  const { t } = useTranslation(['schedule', 'common', 'estimate', 'hold', 'wizard']);
  const language = useLanguage();
  const goOn = useGoOn(path);
  const goOnText = useGoOnText(t('next'));
  const draft = useDraft();
  const { phase, refused, problem, routeProblem, retry } = useEstimate();
  const [today] = useState(() => todayInMontreal(new Date()));
  const [shownDate, setShownDate] = useState<string | null>(draft.date ?? draft.lostSlot?.date ?? null);
  const [month, setMonth] = useState(() => {
    const last = addDays(today, horizonDays);
    if (!shownDate || shownDate < today) return monthOf(today);
    return monthOf(shownDate > last ? last : shownDate);
  });
  const [turned, setTurned] = useState(shownDate !== null);
  const turnTo = (next: string) => {
    setTurned(true);
    setMonth(next);
  };
  const availability = useMonth(month, today, phase !== 'loading');
  // when nothing can be booked any more in this month, the calendar opens in the next one, unless one of its days has the focus
  if (!turned && availability.data && !availability.isPlaceholderData) {
    const left = availability.data.days.some((one) => dayState(one.date, today, one) === 'open');
    const here = document.activeElement?.closest('[role="grid"]') ?? null;
    turnTo(left || here ? month : addMonths(month, 1));
  }
  const range = bookable(month, today);
  const prices = useDayPrices(range.from, range.days, availability.data !== undefined).data ?? null;
  const place = usePlaceHold();
  const hold = useHoldState();
  const holdEnd = useHoldEnd();
  const minutes = useHoldMinutes();

  const zone = availability.data?.zone ?? draft.zone ?? montrealZone;
  const text = useSlotText();
  const days = new Map<string, AvailabilityDay>((availability.data?.days ?? []).map((day) => [day.date, day]));
  const day = shownDate ? days.get(shownDate) : undefined;
  const dayPrice = shownDate ? prices?.days.get(shownDate) : undefined;
  // a kept start that the calendar no longer offers: the server says why, and it leaves the draft. What was read while
  // one's own hold stood shows that start as taken, which says nothing.
  const current = holdEnd === null || availability.dataUpdatedAt > holdEnd;
  const outdated =
    draft.editing === null && hold !== 'held' && draft.date !== null && draft.time !== null
      ? startClosed({ date: draft.date, time: draft.time }, today, current ? days.get(draft.date) : undefined)
      : false;
  useEnsureHold(outdated);

  const choose = (date: string, slot: Pick<Slot, 'time' | 'startsAt'>) => {
    if (place.isPending) return;
    setShownDate(date);
    if (monthOf(date) !== month) turnTo(monthOf(date));
    place.mutate(
      { date, time: slot.time, startsAt: slot.startsAt, zone },
      {
        onSuccess: () => {
          announce(t('hold.announce', { time: text(slot) }));
          focusIfLost('input[name="slot"]:checked');
        },
        onError: (error) => {
          if (!isStartLost(asProblem(error))) return;
          void availability.refetch();
          // the start is gone from the list, and the focus with it: what is offered instead comes next
          requestAnimationFrame(() => document.getElementById('lost-start')?.focus());
        },
      },
    );
  };

  // the price follows the day at once, so that it is not another one after the hour; a start that is kept stays until
  // another takes its place
  const looked = useRef<string | null>(null);
  const followDay = (date: string) => {
    looked.current = date;
    const free = () => draftStore.get().time === null && draftStore.get().editing === null;
    if (!free()) return;
    void knowDay(date).then((known) => {
      if (known && free() && looked.current === date) draftStore.patch({ date });
    });
  };

  const lost = draft.lostSlot;
  const alternatives = lost ? nearestSlots(lost, availability.data?.days ?? []) : [];
  const placeProblem = place.isError ? asProblem(place.error) : null;
  const done = stepDone(draft, 3);
  const kept = draft.date !== null && draft.time !== null ? { date: draft.date, time: draft.time } : null;
  const blockedByPrice = phase === 'failed' || phase === 'stale';
  const shell = useFormShell({
    schema,
    defaultValues: {},
    labels: {},
    obstacles: done ? [] : [{ key: 'start', fieldId: 'month-title', text: t('required') }],
    onTaken: goOn,
  });

  return (
    <>
      <PageHeading
        title={t('title')}
        {...(zone === montrealZone ? { lead: t('schedule.montrealTime') } : {})}
        step={stepOf(path)}
        invalid={shell.summary.length > 0}
      />
      <FormProblems shell={shell} />
      {lost ? (
        <div id="lost-start" tabIndex={-1} style={{ marginBottom: 20 }}>
          <Notice
            tone="warning"
            live
            title={lost.reason || t('schedule.slotGone')}
            action={
              alternatives.length > 0 ? (
                <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
                  {alternatives.map(({ date, slot }) => (
                    <Button key={`${date}${slot.time}`} variant="default" size="sm" onClick={() => choose(date, slot)}>
                      {formatDayAndClock(
                        formatCalendarDate(date, language, { weekday: 'short', month: 'short', day: 'numeric' }),
                        text(slot),
                        language,
                      )}
                    </Button>
                  ))}
                </div>
              ) : undefined
            }
          >
            {alternatives.length > 0 ? t('nearest') : t('nearestNone')}
          </Notice>
        </div>
      ) : null}
      {refused === 'distance' ? (
        <TooFar />
      ) : phase === 'empty' ? (
        <Notice tone="warning">{t('wizard:incomplete')}</Notice>
      ) : blockedByPrice ? (
        <ProblemState problem={problem ?? routeProblem} title={t('estimate:failed')} onRetry={retry} />
      ) : availability.isError && !availability.data ? (
        <ErrorState
          failure={asProblem(availability.error)}
          title={t('common:page.loadFailed')}
          onRetry={() => void availability.refetch()}
        />
      ) : (
        <MonthGrid
          month={month}
          onMonth={turnTo}
          today={today}
          days={days}
          prices={prices}
          loading={availability.isFetching && (availability.isPlaceholderData || !availability.data)}
          selected={shownDate}
          onSelect={(date) => {
            setShownDate(date);
            followDay(date);
            // the starts of the day come next; the calendar is one link back
            requestAnimationFrame(() => {
              const title = document.getElementById('slots-title');
              title?.focus({ preventScroll: true });
              title?.scrollIntoView({ block: 'center', behavior: 'smooth' });
            });
          }}
        />
      )}
      {!availability.data && !availability.isError && !blockedByPrice && phase !== 'empty' ? (
        <div style={{ marginTop: 32 }}>
          <Waiting />
        </div>
      ) : null}
      {day && !day.closed ? (
        <div style={{ marginTop: 32 }}>
          <SlotList
            day={day}
            zone={zone}
            held={draft.date === day.date && (hold === 'held' || draft.editing !== null) ? draft.time : null}
            // an expired start can be chosen again
            value={draft.date === day.date && hold !== 'expired' ? draft.time : null}
            pending={place.isPending && place.variables?.date === day.date ? place.variables.time : null}
            cost={
              dayPrice
                ? t(dayPrice.label ? 'slots.costNamed' : 'day.price', {
                    price: formatMoney(dayPrice.total, language, 'CAD'),
                    name: dayPrice.label ?? '',
                  })
                : null
            }
            onChoose={(slot) => choose(day.date, slot)}
          />
          <p style={{ marginTop: 12 }}>
            <a href="#month-title" className="pg-small">
              {t('slots.back')}
            </a>
          </p>
        </div>
      ) : null}
      <div style={{ display: 'grid', gap: 12, marginTop: 24 }}>
        {placeProblem && !isStartLost(placeProblem) ? (
          <ProblemState problem={placeProblem} title={t('common:page.proceedFailed')} />
        ) : null}
        {done && !outdated && kept ? (
          <Notice tone={hold === 'expired' ? 'warning' : 'success'} live>
            <strong>
              <StartTime date={kept.date} time={kept.time} startsAt={draft.startsAt} />
            </strong>
            {draft.arrivalWindow ? (
              <div>
                <Arrival startsAt={draft.startsAt} time={kept.time} window={draft.arrivalWindow} />
              </div>
            ) : null}
            {hold === 'held' && minutes !== null ? (
              // it changes by itself, which nobody needs to hear
              <div aria-live="off" data-testid="kept-for">
                {t('hold:left', { count: minutes })}
              </div>
            ) : null}
            {hold === 'expired' ? (
              <>
                <div>{t('schedule.holdExpired', { minutes: draft.hold?.minutes ?? 15 })}</div>
                <BusyButton
                  size="sm"
                  mt={10}
                  loading={place.isPending}
                  onClick={() => choose(kept.date, { time: kept.time, startsAt: draft.startsAt ?? '' })}
                >
                  {t('hold.again')}
                </BusyButton>
              </>
            ) : null}
          </Notice>
        ) : null}
      </div>
      <StepActions path={path} goOn={() => void shell.submit()}>
        <SubmitButton shell={shell} formless size="lg" loading={place.isPending}>
          {goOnText}
        </SubmitButton>
      </StepActions>
    </>
  );
}
