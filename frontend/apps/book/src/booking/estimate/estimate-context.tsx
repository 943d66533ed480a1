import { type ApiProblem, asProblem, type Estimate, type EstimateWarning } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

import { areaVerdict } from '../draft/address.ts';
import { routeKey } from '../draft/draft.ts';
import { draftStore, useDraft } from '../draft/draft-store.ts';
import { estimateQuery, knownEstimate, routeQuery } from './estimate-query.ts';
import { type DraftFigures, draftFigures } from './figures.ts';
import { isFar, isTooFar, leastPayload, ofNoDraft } from './least.ts';
import { estimatePayload, type Route } from './payload.ts';

/**
 * `empty`: not enough is known. `loading`: the first price is on its way. `fresh`: the price answers the draft as it is.
 * `updating`: the draft changed, the old price is shown meanwhile. `stale`: the new price failed, the old one is shown and
 * must not be paid. `failed`: it failed and there is no old one.
 */
export type EstimatePhase = 'empty' | 'loading' | 'fresh' | 'updating' | 'stale' | 'failed';

export interface EstimateView {
  phase: EstimatePhase;
  estimate: Estimate | null;
  /** The same under the specification's names. */
  figures: DraftFigures;
  /** Why this move cannot be booked whatever is moved: we do not go there, or no crew gets there in a day. It has no price then. */
  refused: 'area' | 'distance' | null;
  /** The way between the two ends, once it is known. */
  route: Route | null;
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

/** Keeps the price in step with the draft: 300 ms after the last change, one question at a time, the last good answer kept. */
export function EstimateProvider({ children }: { children: ReactNode }) {
  const draft = useDraft();
  const language = useLanguage();
  const { generation } = draftStore;
  const routing = useQuery(routeQuery(draft));
  const route = routing.data ?? null;
  const hasRoute = routeKey(draft) !== null;

  // a long way is judged first: a price would promise what is refused. Of a short one the first price tells at the
  // addresses, and nothing is asked for it here.
  const far = isFar(route);
  const least = leastPayload(draft, route);
  const judgedBy = least ? JSON.stringify(least) : null;
  const judging = useQuery({ ...estimateQuery(ofNoDraft, judgedBy, language), enabled: far && judgedBy !== null });
  const judgement = judgedBy === null ? null : (judging.data ?? knownEstimate(ofNoDraft, judgedBy));
  const unjudged = far && judgedBy !== null && judgement === null && !judging.isError;
  const refused = areaVerdict(draft.ends) === 'refused' ? 'area' : isTooFar(judgement) ? 'distance' : null;

  const payload = refused === null && !unjudged ? estimatePayload(draft, route) : null;
  const wanted = payload ? JSON.stringify(payload) : null;
  const [settled] = useDebouncedValue(wanted, 300);
  const asked = settled !== null && settled === wanted ? settled : null;
  // the answers are read from the cache below: this one asks, and renders again when something comes
  const query = useQuery(estimateQuery(generation, asked, language));

  // where we do not go there is no price, and no older one either
  const hasItems = draft.selectedFurnitures.length > 0 && refused === null;
  const answer = wanted === null ? null : (query.data ?? knownEstimate(generation, wanted));
  const estimate = hasItems && !unjudged ? (answer ?? knownEstimate(generation)) : null;
  const failed = query.isError && asked !== null;
  const searching = hasRoute && route === null;
  const phase = estimatePhase({
    wanted,
    quoteFor: answer ? wanted : null,
    hasQuote: estimate !== null,
    fetching: ((searching && !routing.isError) || unjudged) && hasItems,
    failed: failed || (searching && routing.isError && hasItems),
  });
  const routeError = searching ? routing.error : null;
  const { refetch: refetchRoute } = routing;
  const { refetch: refetchEstimate } = query;
  const estimateError = failed && !answer ? query.error : null;

  const view = useMemo<EstimateView>(
    () => ({
      phase,
      estimate,
      figures: draftFigures(estimate),
      refused,
      route,
      problem: estimateError ? asProblem(estimateError) : null,
      routeProblem: routeError ? asProblem(routeError) : null,
      blocking:
        phase === 'fresh' && estimate ? estimate.warnings.filter((warning) => blockingCodes.has(warning.code)) : [],
      retry: () => {
        if (routeError) void refetchRoute();
        else void refetchEstimate();
      },
    }),
    [phase, estimate, refused, route, estimateError, routeError, refetchRoute, refetchEstimate],
  );
  return <Context.Provider value={view}>{children}</Context.Provider>;
}
