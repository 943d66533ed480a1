import { api, type ApiProblem, asProblem, type Estimate, type EstimateWarning, unwrap } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';

import { type Draft, routeKey } from '../draft/draft.ts';
import { draftStore, useDraft } from '../draft/draft-store.ts';
import { estimatePayload, kilometres, travelMinutes } from './payload.ts';

/**
 * `empty`: not enough is known. `loading`: the first price is on its way. `fresh`: the price answers the draft as it is.
 * `updating`: the draft changed, the old price is shown meanwhile. `stale`: the new price failed, the old one is shown and
 * must not be paid. `failed`: it failed and there is no old one.
 */
export type EstimatePhase = 'empty' | 'loading' | 'fresh' | 'updating' | 'stale' | 'failed';

export interface EstimateView {
  phase: EstimatePhase;
  estimate: Estimate | null;
  /** Why the last attempt failed: the price, or the route it needs. */
  problem: ApiProblem | null;
  routeProblem: ApiProblem | null;
  /** Warnings that stop the booking until something is changed; only of a price that answers the draft. */
  blocking: EstimateWarning[];
  retry: () => void;
}

const Context = createContext<EstimateView | null>(null);

export function useEstimate(): EstimateView {
  const view = useContext(Context);
  if (!view) throw new Error('useEstimate needs EstimateProvider above it');
  return view;
}

const blockingCodes = new Set(['heavy_item_single_mate', 'min_mates', 'contact_support']);

/** The decision alone, so that it can be tested: nothing here ever answers a price of zero. */
export function estimatePhase(input: {
  wanted: string | null;
  quoteFor: string | null;
  hasQuote: boolean;
  fetching: boolean;
  failed: boolean;
}): EstimatePhase {
  if (input.wanted === null) {
    if (input.failed) return input.hasQuote ? 'stale' : 'failed';
    if (input.fetching) return input.hasQuote ? 'updating' : 'loading';
    return 'empty';
  }
  if (input.hasQuote && input.quoteFor === input.wanted) return 'fresh';
  if (input.failed) return input.hasQuote ? 'stale' : 'failed';
  return input.hasQuote ? 'updating' : 'loading';
}

function useRoute(draft: Draft) {
  const key = routeKey(draft);
  const known = key !== null && draft.routeFor === key;
  const route = useQuery({
    queryKey: ['/geo/route', key],
    enabled: key !== null && !known,
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/geo/route', {
          body: {
            pickup: draft.pickupCoords ?? { lat: 0, lon: 0 },
            dropoff: draft.dropoffCoords ?? { lat: 0, lon: 0 },
          },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = route;
  useEffect(() => {
    if (!data || key === null) return;
    draftStore.patch({
      routeFor: key,
      travelDuration: travelMinutes(data.durationSeconds),
      distanceKm: kilometres(data.distanceMeters),
    });
  }, [data, key]);
  return { ...route, active: key !== null && !known };
}

/** Keeps the price in step with the draft: 300 ms after the last change, one question at a time, the last good answer kept. */
export function EstimateProvider({ children }: { children: ReactNode }) {
  const draft = useDraft();
  const language = useLanguage();
  const route = useRoute(draft);

  const payload = estimatePayload(draft);
  const wanted = payload ? JSON.stringify(payload) : null;
  const [settled] = useDebouncedValue(wanted, 300);
  const asked = settled !== null && settled === wanted ? settled : null;
  const query = useQuery({
    queryKey: ['/booking/estimate', asked, language],
    enabled: asked !== null,
    queryFn: ({ signal }) =>
      unwrap(api.POST('/booking/estimate', { body: payload ?? JSON.parse(asked ?? '{}'), signal })),
    staleTime: 5 * 60_000,
    retry: 1,
  });

  const { data } = query;
  useEffect(() => {
    if (!data || asked === null) return;
    draftStore.patch({
      quote: data,
      quoteFor: asked,
      estimate: {
        discount: data.discount,
        originalAmount: data.originalAmount,
        amount: data.amount,
        currency: data.currency,
        tax: data.tax,
      },
      discount: data.discount,
      priceQuote: data.amount,
      priceTaxed: data.total,
      estimatedDuration: data.duration,
      isDurationWithinLimit: data.is_duration_within_limit,
    });
  }, [data, asked]);

  // the specification's failure values stay inside the draft; the screen shows the failure instead
  const failed = query.isError && asked !== null;
  useEffect(() => {
    if (failed) draftStore.patch({ estimatedDuration: -1 });
  }, [failed]);

  const hasItems = draft.selectedFurnitures.length > 0;
  const quote = hasItems ? draft.quote : null;
  const phase = estimatePhase({
    wanted,
    quoteFor: draft.quoteFor,
    hasQuote: quote !== null,
    fetching: route.active && !route.isError && hasItems,
    failed: failed || (route.active && route.isError && hasItems),
  });
  const routeError = route.active ? route.error : null;
  const { refetch: refetchRoute } = route;
  const { refetch: refetchEstimate } = query;
  const estimateError = failed ? query.error : null;

  const view = useMemo<EstimateView>(
    () => ({
      phase,
      estimate: quote,
      problem: estimateError ? asProblem(estimateError) : null,
      routeProblem: routeError ? asProblem(routeError) : null,
      blocking: phase === 'fresh' && quote ? quote.warnings.filter((warning) => blockingCodes.has(warning.code)) : [],
      retry: () => {
        if (routeError) void refetchRoute();
        else void refetchEstimate();
      },
    }),
    [phase, quote, estimateError, routeError, refetchRoute, refetchEstimate],
  );
  return <Context.Provider value={view}>{children}</Context.Provider>;
}
