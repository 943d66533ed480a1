import { type Day, isDay } from '@portage/kit/desk/dates';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

import { deskToday } from '../../shell/company.ts';
import { hubIn, useHubs } from '../../shell/hubs.ts';

/** The id of a hub. */
export type Hub = string;
/** Parts of the page. */
export const parts = ['year', 'week', 'absences', 'feed'] as const;
export type Part = (typeof parts)[number];

type Search = Record<string, unknown>;

/** The years one can turn to. */
export const [firstYear, lastYear] = [2020, 2099];

/** What the address says of year and day: the day decides, so that both never contradict each other. */
export function readYear(search: Search, today: Day): { year: number; day: Day | null } {
  const { day, year } = search;
  const inReach = (one: number) => Number.isInteger(one) && one >= firstYear && one <= lastYear;
  if (isDay(day) && inReach(Number(day.slice(0, 4)))) return { year: Number(day.slice(0, 4)), day };
  return { year: inReach(Number(year)) ? Number(year) : Number(today.slice(0, 4)), day: null };
}

/** What the page shows, read out of its address: hub (none while nobody knows which), year, part, and the day beside it. */
export function useAddress() {
  const search: Search = useSearch({ strict: false });
  const hubs = useHubs();
  const navigate = useNavigate();
  const go = useCallback(
    (next: Search, replace = false) =>
      void navigate({
        to: '.',
        search: ((before: Search) => ({ ...before, ...next })) as never,
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const { year, day } = readYear(search, deskToday());
  /** Opens a day beside the year, or closes it and keeps its year. Walking on leaves no trail in the history. */
  const setDay = useCallback(
    (next: Day | null, replace = false) =>
      go(next === null ? { day: undefined, year } : { day: next, year: Number(next.slice(0, 4)) }, replace),
    [go, year],
  );
  const hub: Hub | null = hubIn(search['hub'], hubs);
  const part: Part = parts.find((one) => one === search['part']) ?? 'year';
  return {
    hub,
    year,
    day: part === 'year' ? day : null,
    part,
    setHub: (next: string) => go({ hub: next, day: undefined }),
    setYear: (next: number) => go({ year: next, day: undefined }),
    setPart: (next: Part) => go({ part: next === 'year' ? undefined : next, day: undefined }),
    setDay,
  };
}
