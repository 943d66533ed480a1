import { useLanguage } from '@portage/i18n';
import { type Day, monthOf } from '@portage/kit/desk/dates';
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';

import classes from './calendar.module.css';
import { Legend } from './legend.tsx';
import { MonthGrid } from './month-grid.tsx';
import type { CalendarDay } from './types.ts';
import { byMonth, dayByKey, isIn, monthsOf } from './year.ts';

interface YearViewProps {
  year: number;
  days: readonly CalendarDay[];
  today: Day;
  /** The day that is open. */
  day: Day | null;
  onDay: (day: Day) => void;
}

const none: readonly CalendarDay[] = [];

/** A year as twelve months: one tab stop, arrows move by day and week, Page Up and Page Down by month. */
export function YearView({ year, days, today, day, onDay }: YearViewProps) {
  const language = useLanguage();
  const root = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Day | null>(day);
  /** Counts the moves by key, so that the focus follows them and nothing else. */
  const [moves, setMoves] = useState(0);
  const months = useMemo(() => byMonth(days), [days]);
  const stop = [cursor, day, today].find((one): one is Day => one !== null && isIn(year, one)) ?? `${year}-01-01`;

  // the chosen day or today is what somebody came for, and a year begins far above it
  const first = stop.endsWith('-01-01') ? null : monthOf(stop);
  const seen = useRef<number | null>(null);
  useEffect(() => {
    if (seen.current === year) return;
    seen.current = year;
    const cell = first && root.current?.querySelector(`[data-day^="${first}"]`);
    if (cell) cell.closest('section')?.scrollIntoView({ block: 'nearest' });
  }, [year, first]);
  useEffect(() => {
    if (moves > 0) root.current?.querySelector<HTMLElement>('[data-day][tabindex="0"]')?.focus();
  }, [moves]);

  const press = useCallback(
    ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
      const pressed = currentTarget.dataset['day'];
      if (pressed === undefined) return;
      setCursor(pressed);
      onDay(pressed);
    },
    [onDay],
  );
  const key = useCallback(
    (event: KeyboardEvent<HTMLButtonElement>) => {
      const from = event.currentTarget.dataset['day'];
      // Alt with an arrow goes back in the history
      if (from === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      const next = dayByKey(event.key, event.shiftKey, from, year, language);
      if (next === undefined) return;
      event.preventDefault();
      setCursor(next);
      setMoves((count) => count + 1);
    },
    [language, year],
  );
  const inMonth = (month: Day, one: Day | null) => (one !== null && monthOf(one) === monthOf(month) ? one : null);

  return (
    <>
      <Legend />
      <div ref={root} className={classes['months']}>
        {monthsOf(year).map((month) => (
          <MonthGrid
            key={month}
            month={month}
            days={months.get(monthOf(month)) ?? none}
            today={today}
            stop={inMonth(month, stop)}
            chosen={inMonth(month, day)}
            onDay={press}
            onKey={key}
          />
        ))}
      </div>
    </>
  );
}
