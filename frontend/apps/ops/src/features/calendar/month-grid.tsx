import { formatCalendarDate, formatList, useLanguage } from '@portage/i18n';
import { addDays, type Day, startOfWeek, weeksOf } from '@portage/kit/desk/dates';
import { type KeyboardEvent, memo, type MouseEvent, useId } from 'react';

import { isAnyAway, loadOf } from './load.ts';
import classes from './month-grid.module.css';
import type { CalendarDay } from './types.ts';
import { useDayFacts, useLoadText } from './words.ts';

/** Signs of a day beside its load; the legend and the name of the day say what they mean. */
export const signs = { own: '◆', holiday: '★', away: '▼', over: '!' } as const;

interface MonthGridProps {
  /** Its first day. */
  month: Day;
  days: readonly CalendarDay[];
  today: Day;
  /** The only tab stop of the year; null when it is in another month. */
  stop: Day | null;
  /** The day that is open beside the year; null when it is in another month. */
  chosen: Day | null;
  /** Both read the day off the button, so that they are the same for all of them. */
  onDay: (event: MouseEvent<HTMLButtonElement>) => void;
  onKey: (event: KeyboardEvent<HTMLButtonElement>) => void;
}

/** One month as a table of days. Drawn from plain elements, and again only when something of this month changes. */
export const MonthGrid = memo(function MonthGrid(props: MonthGridProps) {
  const { month, days, today, stop, chosen, onDay, onKey } = props;
  const language = useLanguage();
  const loadText = useLoadText();
  const factsOf = useDayFacts();
  const id = useId();
  const known = new Map(days.map((day) => [day.date, day]));
  const week = startOfWeek(month, language);
  const holidays = days.filter(({ holiday }) => holiday);

  const square = (date: Day) => {
    const day = known.get(date);
    const load = day ? loadOf(day) : null;
    const facts = [formatCalendarDate(date, language, { dateStyle: 'full' }), ...(day ? factsOf(day) : [])];
    const marks =
      day && load
        ? [
            load.kind === 'over' ? signs.over : '',
            day.holiday ? signs.holiday : '',
            day.override ? signs.own : '',
            isAnyAway(day) ? signs.away : '',
          ].join('')
        : '';
    return (
      <button
        type="button"
        className={classes['day']}
        data-day={date}
        data-kind={load?.kind}
        data-past={date < today || undefined}
        data-chosen={date === chosen || undefined}
        data-holiday={day?.holiday ? true : undefined}
        tabIndex={date === stop ? 0 : -1}
        aria-current={date === today ? 'date' : undefined}
        aria-label={formatList(facts, language)}
        onClick={onDay}
        onKeyDown={onKey}
      >
        {load && load.percent > 0 ? (
          <span className={classes['fill']} style={{ height: `${Math.min(load.percent, 100)}%` }} />
        ) : null}
        <span className={classes['date']}>{Number(date.slice(8))}</span>
        {marks ? <span className={classes['marks']}>{marks}</span> : null}
        {load ? <span className={classes['load']}>{loadText(load)}</span> : null}
      </button>
    );
  };

  return (
    <section aria-labelledby={id} className={classes['month']}>
      <h3 id={id} className={classes['title']}>
        {formatCalendarDate(month, language, { month: 'long' })}
      </h3>
      {/* a calendar is a grid: one tab stop, arrows inside */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role */}
      <table role="grid" aria-labelledby={id} className={classes['grid']}>
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
          {weeksOf(month, language).map((row) => (
            <tr key={row.find(Boolean)}>
              {row.map((date, column) =>
                date ? (
                  <td key={date} aria-selected={date === chosen}>
                    {square(date)}
                  </td>
                ) : (
                  <td key={`empty-${column}`} aria-hidden />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {holidays.length > 0 ? (
        <ul className={classes['holidays']}>
          {holidays.map(({ date, holiday }) => (
            <li key={date}>
              <span aria-hidden>{signs.holiday}</span>
              <span className={classes['holidayDay']}>
                {formatCalendarDate(date, language, { month: 'short', day: 'numeric' })}
              </span>
              <span>{holiday?.name}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
});
