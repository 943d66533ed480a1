import { type Day, isDay } from '@portage/kit/desk/dates';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

import { deskToday } from '../../shell/company.ts';
import { allHubs, hubIn, useHubs } from '../../shell/hubs.ts';

/** Whose lanes are shown. */
export const lanes = ['mates', 'trucks', 'crews'] as const;
export type Lanes = (typeof lanes)[number];
/** What is shown: the lanes of a day, those of a week, or a day on the map. */
export const spans = ['day', 'week', 'map'] as const;
export type Span = (typeof spans)[number];

type Search = Record<string, unknown>;

/** What the page shows, read out of its address: hub (or all; none while nobody knows which), day, week or map, lanes, the job whose crew is being chosen, the mate who does not come, and whether the whole day is planned. */
export function useAddress() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const hubs = useHubs();
  const go = useCallback(
    (next: Search) =>
      void navigate({ to: '.', search: ((before: Search) => ({ ...before, ...next })) as never, resetScroll: false }),
    [navigate],
  );
  const hub = search['hub'] === allHubs ? allHubs : hubIn(search['hub'], hubs);
  const day: Day = isDay(search['day']) ? search['day'] : deskToday();
  const by: Lanes = lanes.find((one) => one === search['by']) ?? 'mates';
  const job = typeof search['job'] === 'string' ? search['job'] : null;
  const span: Span = spans.find((one) => one === search['span']) ?? 'day';
  const plan = search['plan'] === 'day';
  const sick = typeof search['sick'] === 'string' ? search['sick'] : null;
  return {
    hub,
    day,
    by,
    job,
    sick,
    plan,
    span,
    setSpan: (next: Span) => go({ span: next === 'day' ? undefined : next, sick: undefined, plan: undefined }),
    setHub: (next: string) => go({ hub: next, job: undefined, sick: undefined, plan: undefined }),
    setDay: (next: Day) => go({ day: next, job: undefined, sick: undefined, plan: undefined }),
    setBy: (next: Lanes) => go({ by: next === 'mates' ? undefined : next }),
    setJob: (next: string | null) => go({ job: next ?? undefined }),
    setPlan: (next: boolean) => go({ plan: next ? 'day' : undefined }),
    setSick: (next: string | null) => go({ sick: next ?? undefined }),
  };
}
