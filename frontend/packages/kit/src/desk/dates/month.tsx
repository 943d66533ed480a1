import { formatCalendarDate, useLanguage } from '@portage/i18n';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { addDays, addMonths, type Day, firstOfMonth, monthOf, startOfWeek, weeksOf } from './days.ts';
import classes from './month.module.css';
import type { Days } from './range.ts';

interface MonthProps {
  /** Any day of the month that is shown. */
  month: Day;
  today: Day;
  range: Days;
  /** The day the arrow keys stand on; the only tab stop. Null when it is in another month. */
  cursor: Day | null;
  /** Changes whenever the cursor was moved by a key, so that the focus follows it. */
  moves: number;
  min?: Day | undefined;
  max?: Day | undefined;
  onCursor: (day: Day) => void;
  onPick: (day: Day) => void;
  /** The day under the pointer while the second end is awaited. */
  onHover: (day: Day | null) => void;
}

/** Where a key leads from a day; undefined when the key is none of a calendar's. */
export function dayAfterKey(key: string, shift: boolean, day: Day, weekStart: Day): Day | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return weekStart;
    case 'End':
      return addDays(weekStart, 6);
    case 'PageUp':
      return addMonths(day, shift ? -12 : -1);
    case 'PageDown':
      return addMonths(day, shift ? 12 : 1);
    default:
      return undefined;
  }
}

/** One month as a grid: arrows move by day and week, Home and End within the week, Page Up and Down by month or, with Shift, year. */
export function Month({ month, today, range, cursor, moves, min, max, onCursor, onPick, onHover }: MonthProps) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const id = useId();
  const stop = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (moves > 0) stop.current?.focus();
  }, [moves, cursor]);

  const onKeyDown = (event: KeyboardEvent, day: Day) => {
    const next = dayAfterKey(event.key, event.shiftKey, day, startOfWeek(day, language));
    if (!next) return;
    event.preventDefault();
    onCursor(next);
  };
  const week = startOfWeek(today, language);
  const single = range.from !== undefined && range.from === range.to;

  return (
    <div className={classes['root']}>
      <h3 id={id} className={classes['title']}>
        {formatCalendarDate(firstOfMonth(month), language, { month: 'long', year: 'numeric' })}
      </h3>
      {/* a calendar is a grid: one tab stop, arrows inside */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role */}
      <table role="grid" aria-labelledby={id} aria-multiselectable className={classes['grid']}>
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, index) => addDays(week, index)).map((day) => (
              <th key={day} scope="col" abbr={formatCalendarDate(day, language, { weekday: 'long' })}>
                {formatCalendarDate(day, language, { weekday: language === 'en' ? 'short' : 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, language).map((days) => (
            <tr key={days.find(Boolean)}>
              {days.map((day, column) => {
                if (!day) return <td key={`empty-${column}`} aria-hidden />;
                const outside = (min !== undefined && day < min) || (max !== undefined && day > max);
                const start = day === range.from;
                const end = day === range.to;
                const within =
                  range.from !== undefined && range.to !== undefined && day >= range.from && day <= range.to;
                const words = [formatCalendarDate(day, language, { dateStyle: 'full' })];
                if (outside) words.push(t('dates.unavailable'));
                else if (start && !single) words.push(t('dates.first'));
                else if (end && !single) words.push(t('dates.last'));
                return (
                  <td
                    key={day}
                    aria-selected={within || start || end}
                    data-within={(within && !single) || undefined}
                    data-start={start || undefined}
                    data-end={end || undefined}
                  >
                    <button
                      ref={day === cursor ? stop : undefined}
                      type="button"
                      className={classes['day']}
                      data-day={day}
                      data-chosen={start || end || undefined}
                      tabIndex={day === cursor ? 0 : -1}
                      // still reachable, so that the reason can be heard
                      aria-disabled={outside || undefined}
                      aria-current={day === today ? 'date' : undefined}
                      aria-label={words.join(t('dates.comma'))}
                      onClick={() => (outside ? onCursor(day) : onPick(day))}
                      onKeyDown={(event) => onKeyDown(event, day)}
                      onPointerEnter={() => onHover(day)}
                      onPointerLeave={() => onHover(null)}
                    >
                      {Number(day.slice(8))}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether the calendar that begins with `first` and shows `count` months shows the day. */
export function shows(first: Day, count: number, day: Day): boolean {
  return monthOf(day) >= monthOf(first) && monthOf(day) <= monthOf(addMonths(firstOfMonth(first), count - 1));
}
