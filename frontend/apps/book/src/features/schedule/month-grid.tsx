import { ActionIcon, Button } from '@mantine/core';
import type { AvailabilityDay } from '@portage/api';
import { formatCalendarDate, formatItems, formatList, formatMoney, formatNumber, useLanguage } from '@portage/i18n';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { PricedDays } from '../../booking/estimate/comparisons.ts';
import {
  addDays,
  addMonths,
  dayOf,
  type DayState,
  dayState,
  firstWeekday,
  horizonDays,
  monthOf,
  weeksFrom,
  weeksOf,
} from './calendar.ts';
import { dearDays, standingOf } from './day-prices.ts';
import classes from './month-grid.module.css';

interface MonthGridProps {
  month: string;
  onMonth: (month: string) => void;
  today: string;
  days: Map<string, AvailabilityDay>;
  /** What the move costs on each day; null while that is not known. */
  prices: PricedDays | null;
  loading: boolean;
  selected: string | null;
  onSelect: (date: string) => void;
}

/**
 * A month of buttons in a grid: arrows move by day and week, Page Up and Down by month; every day says what it costs and
 * what it offers. Weeks that are over are left out.
 */
export function MonthGrid({ month, onMonth, today, days, prices, loading, selected, onSelect }: MonthGridProps) {
  const { t } = useTranslation(['schedule', 'common']);
  const language = useLanguage();
  const weeks = weeksFrom(today, weeksOf(month, language));
  const last = addDays(today, horizonDays);
  const inMonth = (date: string | null): date is string => date !== null && monthOf(date) === month;
  const [focused, setFocused] = useState<string | null>(null);
  const moving = useRef(false);
  const cell = useRef<HTMLButtonElement>(null);
  const tabStop = inMonth(focused) ? focused : inMonth(selected) ? selected : inMonth(today) ? today : `${month}-01`;

  useEffect(() => {
    if (!moving.current) return;
    moving.current = false;
    cell.current?.focus();
  }, [tabStop, month]);

  const move = (date: string) => {
    if (date < today || date > last) return;
    // this day has the tab stop already: no render follows that would focus it
    if (date === tabStop) {
      cell.current?.focus();
      return;
    }
    moving.current = true;
    setFocused(date);
    if (monthOf(date) !== month) onMonth(monthOf(date));
  };
  const onKeyDown = (event: KeyboardEvent, date: string) => {
    const steps: Record<string, string> = {
      ArrowLeft: addDays(date, -1),
      ArrowRight: addDays(date, 1),
      ArrowUp: addDays(date, -7),
      ArrowDown: addDays(date, 7),
      PageUp: dayOf(addMonths(month, -1), date),
      PageDown: dayOf(addMonths(month, 1), date),
      Home: `${month}-01`,
      End: dayOf(month, `${month}-31`),
    };
    const next = steps[event.key];
    if (!next) return;
    event.preventDefault();
    move(next < today && event.key !== 'ArrowLeft' && event.key !== 'ArrowUp' ? today : next);
  };

  // not `disabled` at an end of the calendar: the button that was pressed would lose the focus
  const turning = (may: boolean, months: 1 | -1) => ({
    'aria-disabled': !may || undefined,
    'data-disabled': !may || undefined,
    onClick: () => {
      if (may) onMonth(addMonths(month, months));
    },
  });

  const weekdays = Array.from({ length: 7 }, (_, index) => {
    // 7 February 2027 is a Sunday
    const date = addDays('2027-02-07', index + firstWeekday(language));
    return {
      short: formatCalendarDate(date, language, { weekday: language === 'zh' ? 'narrow' : 'short' }),
      long: formatCalendarDate(date, language, { weekday: 'long' }),
    };
  });
  const shown = weeks.flat().filter(inMonth);
  const firstIn = (...states: DayState[]) =>
    shown.find((date) => states.includes(dayState(date, today, days.get(date))));
  const opens = firstIn('open') !== undefined;
  const crossedOut = firstIn('full', 'closed');
  const dear = prices
    ? dearDays(
        shown.filter((date) => dayState(date, today, days.get(date)) === 'open'),
        prices,
      )
    : [];
  const none = !opens && !firstIn('unknown');
  const next = addMonths(month, 1);
  const monthName = (one: string) => formatCalendarDate(`${one}-01`, language, { month: 'long', year: 'numeric' });
  const title = monthName(month);

  return (
    <div className={classes['root']} aria-busy={loading}>
      <div className={classes['head']}>
        <h2 id="month-title" aria-live="polite">
          {title}
        </h2>
        <div>
          <ActionIcon
            variant="default"
            size={44}
            aria-label={t('common:month.previous')}
            {...turning(month > monthOf(today), -1)}
          >
            <IconChevronLeft size={20} stroke={1.75} aria-hidden />
          </ActionIcon>{' '}
          <ActionIcon
            variant="default"
            size={44}
            aria-label={t('common:month.next')}
            {...turning(month < monthOf(last), 1)}
          >
            <IconChevronRight size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        </div>
      </div>
      {/* a calendar is a grid: one tab stop, arrows inside */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role */}
      <table role="grid" aria-labelledby="month-title" className={classes['grid']}>
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th key={day.long} scope="col" abbr={day.long}>
                {day.short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((date, column) => {
                if (!date) return <td key={`empty-${column}`} aria-hidden />;
                const day = days.get(date);
                const state = dayState(date, today, day);
                const open = day?.slots.filter((slot) => slot.available).length ?? 0;
                const price = prices?.days.get(date);
                const shownPrice = state === 'open' || state === 'unknown' ? price : undefined;
                const standing = shownPrice && prices ? standingOf(shownPrice, prices) : 'none';
                const words = [
                  state === 'open' ? t('day.open', { count: open }) : t(`day.${state}`),
                  shownPrice ? t('day.price', { price: formatMoney(shownPrice.total, language, 'CAD') }) : '',
                  standing === 'cheapest' || standing === 'low' ? t('day.lowest') : '',
                  shownPrice?.label ?? '',
                ].filter(Boolean);
                const chosen = date === selected;
                return (
                  <td key={date} aria-selected={chosen}>
                    <button
                      ref={date === tabStop ? cell : undefined}
                      type="button"
                      className={classes['day']}
                      data-state={state}
                      data-standing={standing}
                      data-chosen={chosen || undefined}
                      data-today={date === today || undefined}
                      tabIndex={date === tabStop ? 0 : -1}
                      // still focusable, so that the reason can be read
                      aria-disabled={state !== 'open' || undefined}
                      aria-current={date === today ? 'date' : undefined}
                      aria-label={t('day.label', {
                        day: formatCalendarDate(date, language, { dateStyle: 'full' }),
                        state: formatList(words, language),
                      })}
                      title={state === 'open' ? (shownPrice?.label ?? undefined) : words[0]}
                      onClick={() => {
                        setFocused(date);
                        if (state === 'open') onSelect(date);
                      }}
                      onKeyDown={(event) => onKeyDown(event, date)}
                    >
                      <span className={classes['number']}>{Number(date.slice(8))}</span>
                      <span className={classes['price']}>
                        {shownPrice ? formatNumber(Math.round(Number(shownPrice.total)).toFixed(0), language) : null}
                      </span>
                      {shownPrice?.label ? <span className={classes['name']}>{shownPrice.label}</span> : null}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {/* always rendered: screen readers announce changes of a live region, not a new one */}
      <p role="status" className={none ? classes['none'] : undefined}>
        {none ? t('month.none', { month: title }) : null}
      </p>
      {none && month < monthOf(last) ? (
        <Button variant="default" size="sm" mt={8} onClick={() => move(`${next}-01`)}>
          {t('month.show', { month: monthName(next) })}
        </Button>
      ) : null}
      {prices && opens ? <p className={`pg-help ${classes['unit']}`}>{t('legend.unit')}</p> : null}
      {/* every day says its own state to a screen reader */}
      <ul className={`pg-help ${classes['legend']}`} aria-hidden>
        {prices && opens ? (
          <li>
            <span className={classes['day']} data-state="open" data-standing="cheapest" />
            {t('day.lowest')}
          </li>
        ) : null}
        {crossedOut ? (
          <li>
            <span className={classes['day']} data-state="full">
              {Number(crossedOut.slice(8))}
            </span>
            {t('legend.full')}
          </li>
        ) : null}
        {dear.map(({ label, factor, dates }) => (
          <li key={`${label}${factor}`} className={classes['dear']}>
            <span
              className={classes['day']}
              data-state="open"
              data-standing={Number(factor) >= 1.5 ? 'dearest' : 'dear'}
            />
            {t('legend.dear', {
              name: label,
              factor: formatNumber(factor, language, { minimumFractionDigits: 2 }),
              days: formatItems(
                dates.map((date) => String(Number(date.slice(8)))),
                language,
              ),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
