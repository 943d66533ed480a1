import { TextInput } from '@mantine/core';
import { asProblem, type AvailabilityDay, type Slot } from '@portage/api';
import { formatCalendarDate, formatDayAndClock, formatMoney, formatWallTime, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { DeskButton, IconButton } from '@portage/kit/desk/button';
import { addDays } from '@portage/kit/desk/dates';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../../../shell/company.ts';
import formClasses from '../parts/form.module.css';
import { fieldId } from './errors.ts';
import type { OrderForm } from './form.ts';
import classes from './new.module.css';
import { type OrderPrice, shownDays, useDayTotals, useFreeStarts } from './price.ts';

export interface Start {
  date: string;
  time: string;
  startsAt: string;
}

interface WhenProps {
  form: OrderForm;
  price: OrderPrice;
  error: string | undefined;
  /** What the server offers instead of a start that is gone. */
  instead: Start[];
  onStart: (start: Start | { date: string }) => void;
}

const free = (day: AvailabilityDay) => day.slots.filter((slot) => slot.available);

/** Two weeks with what is free and what it costs, and the starts of the chosen day. */
export function When({ form, price, error, instead, onStart }: WhenProps) {
  const { t } = useTranslation(['order', 'change']);
  const language = useLanguage();
  const today = deskToday();
  const { date, time } = form.move;
  const [from, setFrom] = useState(() => (date > addDays(today, shownDays - 1) ? date : today));
  const starts = useFreeStarts(form, price, from);
  const totals = useDayTotals(price, from).data;
  const days = starts.data?.days ?? [];
  const chosen = days.find((day) => day.date === date);
  const name = (day: string, options: Intl.DateTimeFormatOptions) => formatCalendarDate(day, language, options);
  const go = (to: string) => setFrom(to < today ? today : to);
  const state = (day: AvailabilityDay) => {
    const count = free(day).length;
    return day.closed ? t('when.closed') : count === 0 ? t('when.full') : t('when.free', { count });
  };
  return (
    <fieldset className={formClasses['group']}>
      <legend className={formClasses['legend']}>{t('change:group.when')}</legend>
      <div className={classes['when']}>
        {instead.length > 0 ? (
          <Notice tone="warning" live title={t('when.gone')}>
            <p>{t('when.instead')}</p>
            <div className={formClasses['buttons']}>
              {instead.map((start) => (
                <DeskButton key={`${start.date}${start.time}`} onClick={() => onStart(start)}>
                  {formatDayAndClock(
                    name(start.date, { weekday: 'short', month: 'short', day: 'numeric' }),
                    formatWallTime(start.time, language),
                    language,
                  )}
                </DeskButton>
              ))}
            </div>
          </Notice>
        ) : null}
        <div className={classes['walk']}>
          <IconButton label={t('when.earlier')} disabled={from <= today} onClick={() => go(addDays(from, -shownDays))}>
            <IconChevronLeft size={16} stroke={1.75} aria-hidden />
          </IconButton>
          <IconButton label={t('when.later')} onClick={() => go(addDays(from, shownDays))}>
            <IconChevronRight size={16} stroke={1.75} aria-hidden />
          </IconButton>
          <TextInput
            type="date"
            aria-label={t('when.jump')}
            min={today}
            value={from}
            onChange={(event) => (event.currentTarget.value ? go(event.currentTarget.value) : undefined)}
          />
        </div>
        {form.ends.pickup.place === null ? (
          <p id={fieldId('start')} tabIndex={-1} className="pg-help">
            {t('when.needs')}
          </p>
        ) : starts.isError && !starts.data ? (
          <Failed title={t('when.failed')} failure={asProblem(starts.error)} onRetry={() => void starts.refetch()} />
        ) : !starts.data ? (
          <Skeleton label={t('when.days')} rows={3} />
        ) : (
          <div
            role="group"
            aria-label={t('when.days')}
            className={classes['days']}
            data-old={starts.isPlaceholderData || undefined}
          >
            {days.map((day, index) => {
              const total = totals?.get(day.date);
              const words = { day: name(day.date, { dateStyle: 'full' }), free: state(day) };
              return (
                <button
                  key={day.date}
                  // an error leads to the day that is chosen, or the first
                  id={(chosen ? day === chosen : index === 0) ? fieldId('start') : undefined}
                  type="button"
                  className={classes['day']}
                  aria-pressed={day.date === date}
                  aria-label={
                    total
                      ? t('when.dayPriced', { ...words, price: formatMoney(total, language) })
                      : t('when.dayName', words)
                  }
                  data-free={free(day).length > 0 || undefined}
                  onClick={() => onStart({ date: day.date })}
                >
                  <span className={classes['weekday']}>{name(day.date, { weekday: 'short' })}</span>
                  <span className={classes['dayName']}>{name(day.date, { month: 'short', day: 'numeric' })}</span>
                  <span className={classes['state']}>{state(day)}</span>
                  {total ? <span className={classes['dayTotal']}>{formatMoney(total, language)}</span> : null}
                </button>
              );
            })}
          </div>
        )}
        {chosen ? (
          free(chosen).length === 0 ? (
            <p className="pg-muted">{t('when.noStarts')}</p>
          ) : (
            <Starts day={chosen} time={time} onStart={(slot) => onStart({ ...slot, date: chosen.date })} />
          )
        ) : null}
        {error ? <p className="pg-error">{error}</p> : null}
      </div>
    </fieldset>
  );
}

function Starts({ day, time, onStart }: { day: AvailabilityDay; time: string; onStart: (slot: Slot) => void }) {
  const { t } = useTranslation('order');
  const language = useLanguage();
  return (
    <fieldset className={classes['starts']}>
      <legend className={formClasses['legend']}>
        {t('when.starts', { day: formatCalendarDate(day.date, language, { dateStyle: 'full' }) })}
      </legend>
      {free(day).map((slot) => (
        <label key={slot.time} className={classes['start']}>
          <input type="radio" name="start" checked={slot.time === time} onChange={() => onStart(slot)} />
          <span>{formatWallTime(slot.time, language)}</span>
        </label>
      ))}
    </fieldset>
  );
}
