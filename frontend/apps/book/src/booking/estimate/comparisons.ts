import { api, type CrewPrice, type DayPrice, type DayPrices, type EstimateRequest, unwrap } from '@portage/api';
import { parseCents } from '@portage/domain';
import { useLanguage } from '@portage/i18n';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { useDraft } from '../draft/draft-store.ts';
import { useEstimate } from './estimate-context.tsx';
import { estimatePayload } from './payload.ts';

/** The question of the price as it stands, without what the comparison itself varies; null while it cannot be asked. */
function useAsked(without: (request: EstimateRequest) => EstimateRequest): string | null {
  const draft = useDraft();
  const { route, refused } = useEstimate();
  // what cannot be booked has no price, not even one to compare
  const payload = refused === null ? estimatePayload(draft, route) : null;
  const asked = payload ? JSON.stringify(without(payload)) : null;
  // a few pieces are added one after the other
  const [settled] = useDebouncedValue(asked, 300);
  return settled;
}

/** What this move costs with each crew one may choose. */
export function useCrews() {
  const language = useLanguage();
  const asked = useAsked((request) => ({ ...request, mateCount: 2 }));
  return useQuery({
    queryKey: ['/booking/crews', asked, language],
    enabled: asked !== null,
    queryFn: async ({ signal }): Promise<CrewPrice[]> => {
      const body = JSON.parse(asked ?? '{}') as EstimateRequest;
      const { crews } = await unwrap(api.POST('/booking/crews', { body, signal }));
      // one that nobody can read is not compared with the others
      return crews.filter(({ total }) => parseCents(total) !== null);
    },
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
    retry: 1,
  });
}

export interface PricedDays {
  days: Map<string, DayPrice>;
  cheapest: string | null;
  /** The lowest total of an open day, in cents. */
  least: number | null;
}

/** By day; a price that nobody can read is left out. */
export function pricedDays({ days, cheapest }: DayPrices): PricedDays {
  const readable = days.filter(({ total }) => parseCents(total) !== null);
  const open = readable.filter((day) => day.open).map(({ total }) => parseCents(total) ?? 0);
  return {
    days: new Map(readable.map((day) => [day.date, day])),
    cheapest: cheapest ?? null,
    least: open.length > 0 ? Math.min(...open) : null,
  };
}

/** What this move costs on each of up to 42 days. */
export function useDayPrices(from: string, days: number, enabled: boolean) {
  const language = useLanguage();
  // left out, not emptied: the question is the key of its answer, and a chosen day would make another one of it
  const asked = useAsked((request) => {
    const anyDay = { ...request };
    delete anyDay.movingDate;
    return anyDay;
  });
  return useQuery({
    queryKey: ['/booking/prices', from, days, asked, language],
    enabled: enabled && asked !== null,
    queryFn: async ({ signal }): Promise<PricedDays> => {
      const body = { ...(JSON.parse(asked ?? '{}') as EstimateRequest), from, days };
      return pricedDays(await unwrap(api.POST('/booking/prices', { body, signal })));
    },
    staleTime: 60_000,
    retry: 1,
  });
}
